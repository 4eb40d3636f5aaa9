// How fast the sets of a search are, derived from the samples of its record.
#pragma once

#include <optional>
#include <vector>

#include "evidence/tuning.h"
#include "hpc/halving.h"
#include "stats/statistics.h"

namespace pyc::hpc {

constexpr int kFinalRound = 0;

// Shapes that a round times: round 1 leaves out those whose single call takes some 10 ms, if others are left.
std::vector<evidence::Shape> shapes_of_round(const std::vector<evidence::Shape> &shapes, int round);

// baseline / set of those of `sets` that the round has timed at every shape: the geometric mean over the shapes of the
// median of the partners' ratios. The baseline's is 1.
std::vector<Score> scores(const evidence::Tuning &tuning, const evidence::TuningRound &round,
                          const std::vector<int> &sets);

// `sets` by the last round before the final that timed them, the latest first, and by their speed in it; those that
// none has timed come last, as given.
std::vector<int> furthest_first(const evidence::Tuning &tuning, std::vector<int> sets);

// baseline / set for one set, or another arm of the same final in place of the baseline, with its 95 % interval; none
// if they were not timed in one run. `other` nothing: cuBLASLt.
std::optional<stats::Interval> final_ratio(const evidence::Tuning &tuning, std::optional<int> other, int set);

// Finds a round in the document or begins it.
evidence::TuningRound &round_of(evidence::Tuning &tuning, int number, int repeats);

// The arm of a set at a shape, or null.
const evidence::TunedArm *find_arm(const evidence::TunedShape &shape, int set);
// The run of a round that timed the set at every shape, or null.
const evidence::TuningRun *run_of(const evidence::TuningRound &round, int set);

}  // namespace pyc::hpc
