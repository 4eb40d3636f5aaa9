// From the samples of two arms and of a null control to one word, and the reasons for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stats/statistics.h"

namespace pyc::stats {

enum class Verdict {
  kFaster,     // the whole interval clears the bar
  kSlower,     // the whole interval lies under the inverse of the bar
  kSame,       // the whole interval lies between the two
  kAmbiguous,  // it reaches over one of them: more samples would tell
  kNoisy,      // the machine could not have told: samples would not help, a quiet GPU may
};

enum class Reason {
  kNoSamples,         // no pairs, unequal numbers of them, or some that are no times
  kAboveBar,          // the low end is at the bar or above it
  kBelowInverse,      // the high end is at the inverse of the bar or below it
  kBetweenBars,       // the interval lies between the two
  kStraddlesBar,      // the interval reaches over the bar
  kStraddlesInverse,  // it reaches over the inverse of the bar
  kNoControl,         // a kernel was not timed against itself
  kControlOffOne,     // a kernel differs from itself by more than the bar
  kClocksDiffer,      // the arms ran at different SM clocks; alone it decides where time and cycles disagree
  kBimodal,           // samples of an arm form two heaps; no reason to refuse, but to look
};

struct Decision {
  Verdict verdict = Verdict::kNoisy;
  std::vector<Reason> reasons;  // those that decided it first
};

// Codes for evidence and tables: "faster", "straddles_bar".
std::string to_string(Verdict verdict);
std::string to_string(Reason reason);

// What a comparison is decided on. Ratios are baseline / contender: above 1 the contender is faster.
struct Comparison {
  std::optional<Interval> ratio, control;
  std::optional<double> clock_ratio;  // mean SM clock, baseline / contender; absent where unknown
  bool bimodal = false;
};

constexpr double kClockTolerance = 0.01;  // of the arms' mean SM clocks

// `bar` > 1: how much faster is faster. Where the clocks differ by more than kClockTolerance, because one arm was
// throttled or draws more power, the verdict must be the same for cycles as for time, else it is noisy.
Decision decide(const Comparison &comparison, double bar);

// How sure an interval has to be, so that trying again does not pay. The first attempt is judged by a 95 % interval
// (error alpha = 0.05 on two sides), attempt j > 1 by one of error alpha / (j (j-1)). These sum to 2 alpha however many
// attempts there are, so that the chance to ever promote a kernel that does not clear the bar stays below alpha: 2.5 %
// with the first attempt, under 5 % with any number (Bonferroni's inequality with unequal shares; the idea of spending
// one budget of error over looks: Lan, DeMets: Discrete sequential boundaries for clinical trials, 1983). An attempt
// that looks at its samples `looks` times shares its part evenly among them.
double confidence_of(int attempts, int looks = 1);

// How often a run may look at its verdict, if it begins with `repeats` samples, takes as many again whenever the
// verdict is open, and never more than `max_repeats`: at repeats, 2 repeats, 4 repeats and so on, and at max_repeats.
// At least 1.
int looks_within(int repeats, int max_repeats);

// Resamples that give the tails of such an interval some substance: 20 or more beyond each end, 100,000 at most.
int resamples_for(double confidence);

}  // namespace pyc::stats
