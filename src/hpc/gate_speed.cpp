// Lines 5 to 7: what the paired samples say.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "hpc/gate_lines.h"
#include "hpc/verbs.h"
#include "stats/verdict.h"

namespace pyc::hpc {
namespace {

constexpr const char *kNothingToCompare = "no incumbent: nothing to compare";
constexpr const char *kNotMeasured = "not measured";
constexpr const char *kSeeLine4 = "there are no sound pairs of samples against this incumbent (lines 2 and 4)";

std::string ratio_text(const RatioInterval &ratio, double confidence) {
  return fmt::format("{:.4f} ({:.4g} % interval {:.4f} to {:.4f})", ratio.estimate, confidence * 100, ratio.low,
                     ratio.high);
}

std::string attempts_text(const GateTiming &timing) {
  return timing.attempts > 1 ? fmt::format(", attempt {}", timing.attempts) : "";
}

bool has_incumbent(const GateInput &input) {
  return input.registry->find(input.candidate->ref.selector, input.candidate->ref.arch) != nullptr;
}

// Written so that a ratio that is no number is too large.
bool is_possible(const ArmComparison &comparison) {
  const auto possible = [](const RatioInterval &ratio) { return ratio.high <= workspace::kLargestRatio; };
  return possible(comparison.overall) && std::all_of(comparison.by_shape.begin(), comparison.by_shape.end(), possible);
}

std::string speed_reason(const GateTiming &timing) {
  const RatioInterval &ratio = timing.incumbent->overall;
  if (!is_possible(*timing.incumbent))
    return fmt::format("no two kernels differ by a factor of {:g}; bench again", workspace::kLargestRatio);
  if (ratio.low >= kRequiredRatio) return {};
  if (!is_ambiguous(ratio)) return fmt::format("not faster by {:.0f} %", (kRequiredRatio - 1) * 100);
  const auto repeats = repeats_to_decide(timing);
  const std::string advice = repeats ? fmt::format("about {} repeats would decide it", *repeats)
                                     : "no number of repeats that bench takes would decide it";
  return fmt::format("ambiguous: the interval reaches below {}; {}", kRequiredRatio, advice);
}

struct Slowest {
  evidence::Shape shape;
  double slowdown = 0;  // candidate / incumbent, minus 1; negative where the candidate is faster
};

Slowest slowest_shape(const GateInput &input, const ArmComparison &comparison) {
  const auto by_estimate = [](const RatioInterval &a, const RatioInterval &b) { return a.estimate < b.estimate; };
  const auto worst = std::min_element(comparison.by_shape.begin(), comparison.by_shape.end(), by_estimate);
  const auto place = static_cast<std::size_t>(worst - comparison.by_shape.begin());
  return {input.benchmark->shapes[place].shape, 1 / worst->estimate - 1};
}

stats::Interval to_interval(const RatioInterval &ratio) { return {ratio.estimate, ratio.low, ratio.high}; }

// Why the machine could not have told; empty if it could.
std::string noise_reason(const GateTiming &timing) {
  if (timing.incumbent && !timing.incumbent->clock_ratio)
    return "noisy: the SM clocks of the samples are not all known, so that a throttled arm would not show; bench again";
  stats::Comparison comparison{to_interval(timing.control->overall), to_interval(timing.control->overall), {}, false};
  if (timing.incumbent) {
    comparison.ratio = to_interval(timing.incumbent->overall);
    comparison.clock_ratio = timing.incumbent->clock_ratio;
  }
  const stats::Decision decision = stats::decide(comparison, kRequiredRatio);
  if (decision.verdict != stats::Verdict::kNoisy) return {};
  if (decision.reasons.front() == stats::Reason::kClocksDiffer)
    return "noisy: the arms ran at different SM clocks, and their cycles do not say what their times say; bench on an "
           "idle GPU";
  return "noisy: a kernel differs from itself by more than the margin; bench on an idle GPU, or with more --repeats";
}

std::string clocks_text(const GateTiming &timing) {
  if (!timing.incumbent || !timing.incumbent->clock_ratio) return {};
  return fmt::format("; SM clocks, incumbent / candidate: {:.4f}", *timing.incumbent->clock_ratio);
}

}  // namespace

bool is_ambiguous(const RatioInterval &ratio) { return ratio.estimate >= kRequiredRatio && ratio.low < kRequiredRatio; }

std::optional<std::int64_t> repeats_to_decide(const GateTiming &timing) {
  if (!timing.incumbent || !is_ambiguous(timing.incumbent->overall)) return std::nullopt;
  const RatioInterval &ratio = timing.next.value_or(timing.incumbent->overall);
  const auto pairs =
      stats::pairs_to_decide({ratio.estimate, ratio.low, ratio.high}, timing.least_pairs, kRequiredRatio);
  if (!pairs || timing.repeats < 1) return std::nullopt;
  // Of short kernels the harness takes more samples than --repeats says.
  const double samples_per_repeat = static_cast<double>(timing.least_pairs) / static_cast<double>(timing.repeats);
  const double repeats = std::ceil(static_cast<double>(*pairs) / samples_per_repeat);
  return repeats <= static_cast<double>(timing.most_repeats) ? std::optional(static_cast<std::int64_t>(repeats))
                                                             : std::nullopt;
}

GateLine judge_speed(const GateInput &input, const GateTiming &timing) {
  if (!has_incumbent(input)) return gate_line(5, "speed", kNothingToCompare, "");
  if (!timing.incumbent) return gate_line(5, "speed", kNotMeasured, kSeeLine4);
  return gate_line(
      5, "speed",
      fmt::format("incumbent / candidate {}, lower end at least {:.2f}{}",
                  ratio_text(timing.incumbent->overall, timing.confidence), kRequiredRatio, attempts_text(timing)),
      speed_reason(timing));
}

GateLine judge_regression(const GateInput &input, const GateTiming &timing) {
  if (!has_incumbent(input)) return gate_line(6, "regression", kNothingToCompare, "");
  if (!timing.incumbent) return gate_line(6, "regression", kNotMeasured, kSeeLine4);
  const Slowest worst = slowest_shape(input, *timing.incumbent);
  const std::string shape = to_string(worst.shape);
  const char *direction = worst.slowdown > 0 ? "slower" : "faster";
  // Written so that a slowdown that is no number is refused.
  const bool tolerable = worst.slowdown <= input.max_regression;
  return gate_line(6, "regression",
                   fmt::format("at worst {:.1f} % {} than the incumbent, at {}; at most {:.1f} % slower",
                               std::abs(worst.slowdown) * 100, direction, shape, input.max_regression * 100),
                   tolerable ? "" : shape + " is too much slower than the incumbent");
}

GateLine judge_noise(const GateInput &, const GateTiming &timing) {
  const std::string who = timing.controlled;
  if (!timing.control)
    return gate_line(7, "noise", kNotMeasured,
                     fmt::format("the benchmark did not time the {} against itself, taking turns; bench again", who));
  return gate_line(7, "noise",
                   fmt::format("{} / itself {}, within {:.4f} to {:.4f}{}", who,
                               ratio_text(timing.control->overall, stats::kConfidence), 1 / kRequiredRatio,
                               kRequiredRatio, clocks_text(timing)),
                   noise_reason(timing));
}

}  // namespace pyc::hpc
