// What the checks of one shape share: its operands, its references, one stream, and the way from a call to a result.
#ifndef PYC_HARNESS_RIG_H
#define PYC_HARNESS_RIG_H

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "compare.h"
#include "operands.h"
#include "outputs.h"
#include "reports.h"
#include "session.h"
#include "stream.h"

namespace pyc::harness {

// What the operands hold. whole: whole numbers with one right answer; the last two are whole numbers with Special
// lines.
enum class Data { random, whole, nan_inf, subnormal };

// How one call differs from the next.
struct Trial {
  Data data = Data::random;
  float alpha = 1, beta = 0;
  Storage storage = Storage::packed;
  uint32_t around = kCalm;  // the word around every matrix
  bool poison_c = false;    // NaN in all of C, for beta = 0
  Offsets offsets{};        // of packed operands, in bytes
  uint32_t dirt = kCalm;    // what shared memory and the workspace hold before the call
};

std::string describe(const Trial &trial);

// Operands with a stream and a comparison of their own.
struct Arena {
  Arena(const Session &session, const Shape &shape, int64_t extra_bytes, const Driver *fence = nullptr);
  Operands operands;
  Stream stream;
  Comparison comparison;
};

// Thrown when the candidate did not answer success: nothing more can be said about the shape.
struct Refused {};

class Rig {
 public:
  using Report = std::function<void(const CheckResult &)>;

  Rig(const Session &session, const Shape &shape, Report report);

  const Session &session() const { return session_; }
  const Shape &shape() const { return shape_; }
  Arena &main() { return main_; }

  // The check that runs from now on; a crash is put down to it and to the last operands prepared for it.
  void begin(const char *check) { check_ = check, variant_.clear(); }
  const std::string &check() const { return check_; }
  const std::string &variant() const { return variant_; }

  // Fills the operands, shared memory and the workspace, and waits until they are.
  void prepare(const Trial &trial, Arena &arena);

  // Calls the candidate and waits for it; then looks at what it may not change. Throws Refused.
  void call(const Trial &trial, Arena &arena);

  // The output against what the trial makes of the references.
  Compared compare(const Trial &trial, Arena &arena);

  // All three.
  Compared attempt(const Trial &trial, Arena &arena);
  Compared attempt(const Trial &trial) { return attempt(trial, main_); }

  // The candidate's answer to any arguments, with the error that it left behind, if any.
  struct Answer {
    pyc_status status;
    std::string left;
  };
  Answer ask(const pyc_gemm_args &args, cudaStream_t stream) const;
  // Throws Refused and reports a failed `status`, unless the answer was success.
  void expect_success(const Answer &answer, const std::string &variant);

  // Keeps the output of the main arena; how it differs now. Where nothing was kept, because `repeat` found no right
  // output to keep, nothing differs.
  void keep();
  Changes differences();

  Changes poison_changes(const Buffer &buffer, cudaStream_t stream);

  // Looks at what calls that have ended may not change, and reports the checks `writes` and `inputs` where they fail.
  void audit(const std::string &variant, Arena &arena);
  // What calls that were to leave everything alone changed, C being full of poison; empty if nothing.
  std::string touched(Arena &arena);

  // Whether all repeats of a call gave the same bits; set by the check `repeat`.
  bool deterministic = true;
  int64_t call_ns() const { return call_ns_; }  // host time of the last call(), until the device was done

  void report(const CheckResult &result) { report_(result); }
  void pass(const std::string &variant) { report_({check_, variant, Status::passed, "", {}, {}}); }
  void fail(const std::string &variant, const std::string &reason) {
    report_({check_, variant, Status::failed, reason, {}, {}});
  }
  void skip(const std::string &reason) { report_({check_, "", Status::skipped, reason, {}, {}}); }
  // Passed if the comparison found nothing, else failed under the running check's name; returns whether it passed.
  bool judge(const std::string &variant, const Compared &compared);

  // Reports the checks that look at every call: status, writes, inputs. Call it once, at the end.
  void report_audits();

 private:
  struct Audit {
    const char *check;
    int64_t calls = 0;
    bool failed = false;
  };
  void note(Audit &audit, const std::string &variant, const std::string &wrong);
  std::string written_outside(Arena &arena);
  std::string changed_input(Arena &arena);
  Changes changes(const Operand &operand, Inside inside, Arena &arena);
  Changes read_counter(cudaStream_t stream);
  void load(Data data, Operands &operands) const;
  Expectation expectation(const Trial &trial, const Operands &operands);
  const double *product(Data data, const Operands &operands);
  const int32_t *whole_product(const Operands &operands);
  Output output() const;

  const Session &session_;
  Shape shape_;
  Report report_;
  std::string check_ = "status", variant_;
  Arena main_;
  Buffer counter_, product_, whole_, kept_;
  std::optional<Data> product_of_;  // what product_ holds
  Audit status_{"status"}, writes_{"writes"}, inputs_{"inputs"};
  int64_t call_ns_ = 0;
};

}  // namespace pyc::harness

#endif
