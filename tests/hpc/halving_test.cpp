#include "hpc/halving.h"

#include <gtest/gtest.h>

namespace pyc::hpc {
namespace {

// Set i is as fast as 1 - i * step.
std::vector<Score> ladder(int count, double step) {
  std::vector<Score> scores;
  for (int i = 0; i < count; ++i) scores.push_back({i, 1 - i * step});
  return scores;
}

TEST(Halving, KeepsAQuarterFastestFirst) {
  std::vector<Score> scores = ladder(200, 0.001);
  for (Score &score : scores) score.ratio -= 0.1 * (score.set > 0);  // a clear winner: nothing is close to it
  const std::vector<int> kept = survivors(scores, 1);
  ASSERT_EQ(kept.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(kept[static_cast<std::size_t>(i)], i);
}

TEST(Halving, SetsThatFewSamplesCannotTellApartAreKeptUpToAHalf) {
  EXPECT_EQ(survivors(ladder(200, 0.0001), 1).size(), 100u);
  const std::vector<int> kept = survivors(ladder(200, 0.0004), 1);  // 3 % hold 76 of them
  EXPECT_NEAR(static_cast<double>(kept.size()), 76, 1);
  EXPECT_EQ(survivors(ladder(200, 0.0004), 2).size(), 50u) << "more samples tell more";
}

TEST(Halving, KeepsTheFinalistsEvenWhereTheyAreMoreThanAQuarter) {
  EXPECT_EQ(survivors(ladder(10, 0.01), 1).size(), kFinalists);
  EXPECT_EQ(survivors(ladder(3, 0.01), 1).size(), 3u);
  EXPECT_TRUE(survivors({}, 1).empty());
}

TEST(Halving, WhatIsFarSlowerThanTheBestIsNoFinalist) {
  EXPECT_EQ(survivors({{0, 0.5}, {1, 1.0}, {2, 0.95}, {3, 0.79}}, 1), (std::vector<int>{1, 2}));
}

TEST(Halving, EveryFieldComesDownToTheFinalists) {
  for (int count : {7, 13, 50, 200, 5000}) {
    std::size_t left = static_cast<std::size_t>(count);
    int rounds = 0;
    while (left > kFinalists) {
      left = survivors(ladder(static_cast<int>(left), 0), ++rounds).size();  // all alike: the slowest case
      ASSERT_LT(rounds, 20) << count;
    }
  }
}

TEST(Halving, SamplesGrowWhileSetsGetFewer) {
  EXPECT_LT(repeats_of_round(1), repeats_of_round(2));
  EXPECT_LT(repeats_of_round(2), repeats_of_round(3));
  EXPECT_LE(repeats_of_round(30), kFinalRepeats);
}

}  // namespace
}  // namespace pyc::hpc
