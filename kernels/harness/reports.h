// The events that validation and benchmark share.
#ifndef PYC_HARNESS_REPORTS_H
#define PYC_HARNESS_REPORTS_H

#include <optional>
#include <string>

#include "events.h"
#include "launches.h"
#include "request.h"
#include "tally.h"

namespace pyc::harness {

enum class Status { passed, failed, skipped };

// An output that was compared with the reference.
struct Compared {
  Tally tally;
  int64_t columns = 1;     // n, to turn a linear index into row and column
  bool has_bound = false;  // whether the norm counts too
  double normwise_error = 0, normwise_bound = 0;
};

// Element rule and normwise bound together.
Compared compared_with_bound(const Tally &tally, const Shape &shape, DType dtype, double alpha, double beta);
bool right(const Compared &compared);
std::string what_is_wrong(const Compared &compared);

struct CheckResult {
  std::string check, variant;
  Status status = Status::passed;
  std::string reason;  // why it failed or was skipped; empty when passed
  std::optional<Compared> compared;
  std::optional<bool> deterministic;  // of `repeat`: every call gave the same bits
};

// The result of comparing an output.
CheckResult judge(const char *check, const std::string &variant, const Compared &compared);

void report_shape_begin(Events &events, int index, const Shape &shape);
void report_shape_end(Events &events, int index, const char *status, int64_t elapsed_ns);
void report_launches(Events &events, int index, const Launches &launches);

// A `check` event, or an `output_check` of an arm.
void report_check(Events &events, int index, const CheckResult &result);
void report_output_check(Events &events, int index, int arm, const CheckResult &result);

}  // namespace pyc::harness

#endif
