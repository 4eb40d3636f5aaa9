#include "hpc/extension.h"

#include <algorithm>
#include <cstdint>

#include "base/files.h"
#include "hpc/gate.h"
#include "hpc/verbs.h"
#include "stats/verdict.h"

namespace pyc::hpc {
namespace {

using evidence::Arm;
using evidence::ShapeBenchmark;

bool straddles_bar(const stats::Interval &ratio) { return ratio.low < kRequiredRatio && ratio.high >= kRequiredRatio; }

template <class Value>
void append(std::vector<Value> &values, const std::vector<Value> &more) {
  values.insert(values.end(), more.begin(), more.end());
}

const Arm *same_arm(const ShapeBenchmark &shape, const Arm &wanted) {
  const auto found = std::find_if(shape.arms.begin(), shape.arms.end(), [&](const Arm &arm) {
    return arm.arm == wanted.arm && arm.role == wanted.role && arm.name == wanted.name && arm.digest == wanted.digest;
  });
  return found == shape.arms.end() ? nullptr : &*found;
}

std::int64_t next_place(const ShapeBenchmark &shape) {
  std::int64_t last = -1;
  for (const Arm &arm : shape.arms)
    for (const std::int64_t place : arm.cold_order) last = std::max(last, place);
  return last + 1;
}

void drop_samples(Arm &arm, std::string reason) {
  if (arm.status == "ready") arm.reason = std::move(reason);
  arm.status = "unavailable";
  arm.cold_ns.clear(), arm.warm_ns.clear(), arm.cold_order.clear(), arm.cold_sm_clock_mhz.clear();
  arm.output_checks.clear();
}

void extend(Arm &arm, const Arm &more, std::int64_t first_place) {
  // One clock for every sample or none: a sample without a clock leaves the arm without.
  const bool clocks = !arm.cold_sm_clock_mhz.empty() && !more.cold_sm_clock_mhz.empty();
  append(arm.cold_sm_clock_mhz, more.cold_sm_clock_mhz);
  if (!clocks) arm.cold_sm_clock_mhz.clear();
  append(arm.cold_ns, more.cold_ns);
  append(arm.warm_ns, more.warm_ns);
  for (const std::int64_t place : more.cold_order) arm.cold_order.push_back(first_place + place);
  append(arm.output_checks, more.output_checks);
  arm.retaken += more.retaken;
  if (more.detail != arm.detail) arm.detail += "; then " + more.detail;
}

std::vector<std::string> kernels_of(const ShapeBenchmark &shape) {
  return shape.launches ? evidence::kernel_names(*shape.launches) : std::vector<std::string>();
}

// The gate holds one pass's kernels against the validation's: no other kernels may have been timed in the rest.
void refuse_other_kernels(ShapeBenchmark &shape, const ShapeBenchmark &more) {
  if (kernels_of(shape) == kernels_of(more)) return;
  shape.status = "failed";
  for (Arm &arm : shape.arms)
    if (arm.role == "candidate") drop_samples(arm, "one call launched other kernels in a later pass");
}

void extend(ShapeBenchmark &shape, const ShapeBenchmark &more) {
  const std::int64_t first_place = next_place(shape);
  for (Arm &arm : shape.arms) {
    const Arm *other = same_arm(more, arm);
    if (other && other->status == "ready" && arm.status == "ready")
      extend(arm, *other, first_place);
    else
      drop_samples(arm, "not timed in every pass" + (other ? ": " + other->reason : std::string()));
  }
  refuse_other_kernels(shape, more);
  if (more.status != "completed") shape.status = more.status;
  shape.elapsed_ns += more.elapsed_ns;
}

}  // namespace

int most_repeats(std::size_t shapes, std::size_t arms) {
  const std::uintmax_t bytes_per_repeat = std::uintmax_t{kBytesPerSample} * kSamplesPerRepeat * shapes * arms;
  if (bytes_per_repeat == 0) return kMostBenchRepeats;
  return static_cast<int>(std::min<std::uintmax_t>(kMostBenchRepeats, kEvidenceFileLimitBytes / bytes_per_repeat));
}

int samples_to_add(const ExtensionLimits &limits, const ExtensionState &state) {
  if (!state.sound || !state.ratio || !straddles_bar(*state.ratio)) return 0;
  if (state.passes >= stats::looks_within(limits.repeats, limits.max_repeats)) return 0;
  const std::int64_t taken = std::int64_t{limits.repeats} << (state.passes - 1);
  const std::int64_t more = std::min(taken, limits.max_repeats - taken);
  const auto time_left = limits.max_time - state.spent;
  if (state.spent * more > time_left * taken) return 0;
  return static_cast<int>(more);
}

std::chrono::nanoseconds time_spent(const std::vector<ShapeBenchmark> &shapes) {
  std::int64_t elapsed_ns = 0;
  for (const ShapeBenchmark &shape : shapes) elapsed_ns += shape.elapsed_ns;
  return std::chrono::nanoseconds(elapsed_ns);
}

std::vector<ShapeBenchmark> extended(std::vector<ShapeBenchmark> before, const std::vector<ShapeBenchmark> &pass) {
  for (std::size_t i = 0; i < std::min(before.size(), pass.size()); ++i)
    if (pass[i].status != "unfinished") extend(before[i], pass[i]);
  return before;
}

}  // namespace pyc::hpc
