#include "hpc/halving.h"

#include <algorithm>

namespace pyc::hpc {
namespace {

constexpr int kFirstRepeats = 4, kMostRepeats = 32;
// How far below the best a set can be by the noise of so few samples: docs/measurement.md has medians of 50 pairs of
// short kernels within 1 %; 4 pairs are three times as wide.
constexpr double kFirstNoise = 0.03, kLaterNoise = 0.015;
constexpr double kHopeless = 0.8;  // of the best's speed

}  // namespace

int repeats_of_round(int round) {
  int repeats = kFirstRepeats;
  for (int i = 1; i < round && repeats < kMostRepeats; ++i) repeats *= 2;
  return repeats;
}

std::vector<int> survivors(std::vector<Score> scores, int round) {
  std::stable_sort(scores.begin(), scores.end(), [](const Score &a, const Score &b) { return a.ratio > b.ratio; });
  const auto count_above = [&](double share) {
    return static_cast<std::size_t>(std::count_if(
        scores.begin(), scores.end(), [&](const Score &one) { return one.ratio >= share * scores[0].ratio; }));
  };
  const std::size_t quarter = (scores.size() + 3) / 4, half = (scores.size() + 1) / 2;
  const std::size_t close = count_above(1 - (round == 1 ? kFirstNoise : kLaterNoise));
  std::size_t kept = std::max({kFinalists, quarter, std::min(close, half)});
  kept = std::min({kept, scores.size(), count_above(kHopeless)});
  std::vector<int> sets;
  for (std::size_t i = 0; i < kept; ++i) sets.push_back(scores[i].set);
  return sets;
}

}  // namespace pyc::hpc
