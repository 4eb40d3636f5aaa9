// Which sets of a search are timed again, and with how many samples: successive halving (Jamieson and Talwalkar,
// "Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016). Few samples tell which sets
// are hopeless; the samples that this saves go to those that are left.
#pragma once

#include <optional>
#include <vector>

namespace pyc::hpc {

constexpr std::size_t kFinalists = 6;  // timed afresh, in one process, at every shape
constexpr int kFinalRepeats = 50;      // cold samples of each finalist and shape, as `bench` takes by default

// How fast a set was in a round: baseline / set, so that larger is faster.
struct Score {
  int set = 0;
  double ratio = 0;
};

// Cold samples for each set and shape in round 1, 2, ...
int repeats_of_round(int round);

// The sets that the next round times, fastest first; equals stay in the order given. A quarter of them, and those that
// few samples cannot tell from the best, up to a half; never fewer than kFinalists where there are as many, but no set
// that is far slower than the best.
std::vector<int> survivors(std::vector<Score> scores, int round);

}  // namespace pyc::hpc
