// The harness's JSON lines (docs/reference/harness-protocol.md) folded into evidence records, one line at a time, so
// that finished shapes are there whatever happens to the child later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/records.h"

namespace pyc::json {
class ObjectReader;
}

namespace pyc::evidence {

struct HarnessRequest {
  std::string mode;  // validate, bench
  std::string nonce, dtype, layout, compute_capability;
  std::uint64_t seed = 0;
  struct RequestedShape {
    Shape shape;
    bool timed = true;
    bool large = false;  // validated only for operands of more than 2^31 elements
  };
  std::vector<RequestedShape> shapes;
  Tolerance tolerance;
  struct Requires {
    std::int64_t m_multiple = 1, n_multiple = 1, k_multiple = 1, pointer_alignment = 4, ld_multiple = 1;
  } requirements;
  bool workspace = false;
  std::string depth = "default";  // default, quick
  int warmup = 10, repeats = 50;
  struct Contender {
    std::string role, name, digest, library, symbol;
    bool workspace = false;
    Requires requirements;
  };
  std::vector<Contender> contenders;
  std::vector<std::string> vendor_library_dirs;
  int vendor_algorithms = 8;
};
std::string to_json(const HarnessRequest &request);

struct Fatal {
  std::string kind, message, call, file, error;
  int line = 0;
};

// Everything the harness has said so far.
class HarnessTranscript {
 public:
  explicit HarnessTranscript(const HarnessRequest &request);
  // kInvalid if the line is not an event of the protocol, or contradicts what was said before; the transcript is
  // unchanged then.
  Status add(std::string_view line);
  bool done() const { return done_; }
  const std::optional<Gpu> &gpu() const { return gpu_; }
  const std::optional<Fatal> &fatal() const { return fatal_; }
  // Shapes in the order of the request, for a benchmark the timed ones; those that did not end have status
  // "unfinished". The list of the other mode is empty.
  const std::vector<ShapeValidation> &validations() const { return validations_; }
  const std::vector<ShapeBenchmark> &benchmarks() const { return benchmarks_; }
  int finished_shapes() const { return finished_; }

 private:
  enum class Phase { kSkipped, kPending, kOpen, kEnded };
  struct Slot {
    Phase phase = Phase::kPending;
    std::size_t place = 0;  // in validations_ or benchmarks_
  };
  using Fields = json::ObjectReader;
  using Handler = Status (HarnessTranscript::*)(Fields &fields);
  static Handler handler_of(const std::string &event);

  Status handle(Fields &fields);
  Status on_session(Fields &fields);
  Status on_launches(Fields &fields);
  Status on_shape_begin(Fields &fields);
  Status on_check(Fields &fields);
  Status on_contender(Fields &fields);
  Status on_samples(Fields &fields);
  Status on_output_check(Fields &fields);
  Status on_timer(Fields &fields);
  Status on_shape_end(Fields &fields);
  Status on_fatal(Fields &fields);
  Status on_done(Fields &fields);

  Result<Slot *> slot(Fields &fields);
  Result<ShapeValidation *> open_validation(Fields &fields);
  Result<ShapeBenchmark *> open_benchmark(Fields &fields);
  Result<Arm *> ready_arm(Fields &fields);
  std::string digest_of(const Arm &arm) const;

  HarnessRequest request_;
  bool done_ = false;
  int finished_ = 0;
  std::optional<Gpu> gpu_;
  std::optional<Fatal> fatal_;
  std::vector<Slot> slots_;  // one per shape of the request
  std::vector<ShapeValidation> validations_;
  std::vector<ShapeBenchmark> benchmarks_;
};

}  // namespace pyc::evidence
