#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "stats/statistics.h"

namespace {

using namespace pyc::stats;

std::vector<double> noisy(double base, std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> samples(count);
  for (double &sample : samples) sample = base * (1 + 0.01 * normal(generator));
  return samples;
}

TEST(UnpairedRatio, WithoutNoiseIsTheRatioOfMedians) {
  const auto interval = unpaired_ratio({{3, 3, 3}, {2, 2}}).value();
  EXPECT_EQ(interval.estimate, 1.5);
  EXPECT_EQ(interval.low, 1.5);
  EXPECT_EQ(interval.high, 1.5);
}

TEST(UnpairedRatio, TakesRunsOfDifferentLength) {
  const auto interval = unpaired_ratio({noisy(110, 200, 1), noisy(100, 50, 2)}).value();
  EXPECT_NEAR(interval.estimate, 1.1, 0.01);
  EXPECT_LT(interval.low, interval.estimate);
  EXPECT_GT(interval.high, interval.estimate);
}

TEST(UnpairedRatio, DoesNotDependOnTheOrderOfTheSamples) {
  const std::vector<double> one = noisy(110, 51, 3), other = noisy(100, 50, 4);
  const auto there = unpaired_ratio({one, other}).value();
  const auto back = unpaired_ratio({{one.rbegin(), one.rend()}, {other.rbegin(), other.rend()}}).value();
  EXPECT_EQ(there.low, back.low);
  EXPECT_EQ(there.high, back.high);
}

// Two noisy medians differ by more than one: the interval must be wider than that of either alone.
TEST(UnpairedRatio, CoversTheNoiseOfBothRuns) {
  const std::vector<double> noise = noisy(100, 50, 5), other = noisy(100, 50, 6), still(50, 100.0);
  const auto both = unpaired_ratio({noise, other}).value(), one = unpaired_ratio({noise, still}).value();
  EXPECT_GT(both.high - both.low, one.high - one.low);
}

// 95 % of intervals should hold the truth; 88 of 100 is about three standard deviations below.
TEST(UnpairedRatio, HoldsTheTruthAsOftenAsItSays) {
  int holds = 0;
  for (unsigned run = 0; run < 100; ++run) {
    const auto interval = unpaired_ratio({noisy(105, 60, 2 * run), noisy(100, 60, 2 * run + 1)}).value();
    holds += interval.low <= 1.05 && 1.05 <= interval.high;
  }
  EXPECT_GE(holds, 88);
}

TEST(UnpairedRatio, MeansOverShapesAreGeometric) {
  const std::vector<UnpairedSamples> shapes = {{{4}, {1}}, {{1}, {4}}};
  EXPECT_NEAR(geometric_mean_unpaired_ratio(shapes)->estimate, 1.0, 1e-12);
}

TEST(UnpairedRatio, RefusesWhatIsNoTime) {
  EXPECT_FALSE(unpaired_ratio({{}, {1}}));
  EXPECT_FALSE(unpaired_ratio({{1}, {}}));
  EXPECT_FALSE(unpaired_ratio({{0}, {1}}));
  EXPECT_FALSE(unpaired_ratio({{1}, {std::numeric_limits<double>::quiet_NaN()}}));
  EXPECT_FALSE(unpaired_ratio({{1e308, 1e308}, {1e-308, 1e-308}}));
  EXPECT_FALSE(geometric_mean_unpaired_ratio({}));
}

}  // namespace
