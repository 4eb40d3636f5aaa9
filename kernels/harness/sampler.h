// Takes samples of contenders on one shape: new inputs and a poisoned output before each call, and a sample again where
// the clock was low or the hold ran out.
#ifndef PYC_HARNESS_SAMPLER_H
#define PYC_HARNESS_SAMPLER_H

#include <functional>
#include <stdexcept>
#include <string>

#include "arms.h"
#include "clock.h"
#include "compare.h"
#include "operands.h"
#include "reports.h"
#include "session.h"
#include "spot_check.h"

namespace pyc::harness {

// A call that answered anything but success, or that cannot be timed on a held stream.
struct CallFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Sampler {
 public:
  // Allocates the shape's operands and reference; throws Fatal where they do not fit.
  Sampler(const Session &session, const Shape &shape, Clock &clock, double &highest_clock_mhz);

  const Operands &operands() const { return operands_; }

  // First call of an arm, outside any hold, so that its modules are loaded. Throws CallFailed.
  void first_call(Arm &arm);

  // A sample that counts; `retaken` grows by those thrown away, the arm's audit by all of them. Throws CallFailed.
  Sample take(Arm &arm, Cache cache, int64_t &retaken);

  // The same, and its whole output compared with the reference: behind it on the same stream, and again after a
  // device-wide synchronisation, so that work on other streams or by other threads shows. Sets `result`.
  Sample take_checked(Arm &arm, Cache cache, int64_t &retaken, CheckResult &result);

  // The arguments of a call with its workspace in place, for a capture.
  pyc_gemm_args ready_call(const Contender &contender);

  // Median of `count` cold samples of a call, in ns. Throws CallFailed.
  double time_call(const std::function<pyc_status()> &call, int count);

 private:
  using Call = std::function<pyc_status()>;

  void next_inputs(size_t workspace_bytes);
  Call audited_call(Arm &arm);
  template <class Work>
  void audit(Arm &arm, const Work &work);
  void look_at_output();
  Sample attempt(const Call &call, size_t workspace_bytes, Cache cache, const std::function<void()> &after);
  Sample attempt_audited(Arm &arm, Cache cache, const std::function<void()> &after);
  Sample repeat_until_sound(const std::function<Sample()> &attempt, int64_t &retaken);
  Expectation expectation() const;
  Compared compare_now();

  const Session &session_;
  Shape shape_;
  Clock &clock_;
  double &highest_clock_mhz_;
  Operands operands_;
  Buffer product_;
  Comparison comparison_;
  SpotCheck spots_;
  uint64_t calls_ = 0;
};

}  // namespace pyc::harness

#endif
