#include "stats/verdict.h"

#include <algorithm>
#include <cmath>

namespace pyc::stats {
namespace {

constexpr double kAlpha = 1 - kConfidence;
constexpr int kLeastInTail = 20, kMostResamples = 100'000;

// Why the machine could not have told a difference of the size of the bar.
std::vector<Reason> noise_reasons(const Comparison &comparison, double bar) {
  std::vector<Reason> reasons;
  if (!comparison.control) {
    reasons.push_back(Reason::kNoControl);
  } else if (!(comparison.control->low >= 1 / bar && comparison.control->high <= bar)) {
    reasons.push_back(Reason::kControlOffOne);
  }
  return reasons;
}

Decision decide_by_interval(const Interval &ratio, double bar) {
  if (ratio.low >= bar) return {Verdict::kFaster, {Reason::kAboveBar}};
  if (ratio.high <= 1 / bar) return {Verdict::kSlower, {Reason::kBelowInverse}};
  if (ratio.low > 1 / bar && ratio.high < bar) return {Verdict::kSame, {Reason::kBetweenBars}};
  Decision decision{Verdict::kAmbiguous, {}};
  if (ratio.high >= bar) decision.reasons.push_back(Reason::kStraddlesBar);
  if (ratio.low <= 1 / bar) decision.reasons.push_back(Reason::kStraddlesInverse);
  return decision;
}

// Written so that a ratio that is no number differs.
bool clocks_differ(const Comparison &comparison) {
  return comparison.clock_ratio && !(std::fabs(*comparison.clock_ratio - 1) <= kClockTolerance);
}

Decision decide_in_time_and_cycles(const Comparison &comparison, double bar) {
  const Interval &time = *comparison.ratio;
  Decision decision = decide_by_interval(time, bar);
  if (!clocks_differ(comparison)) return decision;
  const double clock = *comparison.clock_ratio;
  const Interval cycles{time.estimate * clock, time.low * clock, time.high * clock};
  if (decide_by_interval(cycles, bar).verdict != decision.verdict) return {Verdict::kNoisy, {Reason::kClocksDiffer}};
  decision.reasons.push_back(Reason::kClocksDiffer);
  return decision;
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster: return "faster";
    case Verdict::kSlower: return "slower";
    case Verdict::kSame: return "same";
    case Verdict::kAmbiguous: return "ambiguous";
    case Verdict::kNoisy: return "noisy";
  }
  return "unknown";
}

std::string to_string(Reason reason) {
  switch (reason) {
    case Reason::kNoSamples: return "no_samples";
    case Reason::kAboveBar: return "above_bar";
    case Reason::kBelowInverse: return "below_inverse";
    case Reason::kBetweenBars: return "between_bars";
    case Reason::kStraddlesBar: return "straddles_bar";
    case Reason::kStraddlesInverse: return "straddles_inverse";
    case Reason::kNoControl: return "no_control";
    case Reason::kControlOffOne: return "control_off_one";
    case Reason::kClocksDiffer: return "clocks_differ";
    case Reason::kBimodal: return "bimodal";
  }
  return "unknown";
}

Decision decide(const Comparison &comparison, double bar) {
  Decision decision{Verdict::kNoisy, {Reason::kNoSamples}};
  if (comparison.ratio) {
    decision.reasons = noise_reasons(comparison, bar);
    if (decision.reasons.empty()) decision = decide_in_time_and_cycles(comparison, bar);
  }
  if (comparison.bimodal) decision.reasons.push_back(Reason::kBimodal);
  return decision;
}

double confidence_of(int attempts, int looks) {
  const double j = std::max(attempts, 1), share = j > 1 ? 1 / (j * (j - 1)) : 1;
  return 1 - kAlpha * share / std::max(looks, 1);
}

int looks_within(int repeats, int max_repeats) {
  int looks = 1;
  for (std::int64_t total = repeats; total > 0 && total < max_repeats; total *= 2) ++looks;
  return looks;
}

int resamples_for(double confidence) {
  const double needed = std::ceil(2 * kLeastInTail / (1 - confidence));
  return static_cast<int>(std::clamp(needed, double{kBootstrapResamples}, double{kMostResamples}));
}

}  // namespace pyc::stats
