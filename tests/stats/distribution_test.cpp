#include "stats/distribution.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <rapidcheck.h>
#include <string>
#include <vector>

#include "recorded_samples.h"
#include "stats/statistics.h"

namespace {

using namespace pyc::stats;

std::vector<double> normal(double mean, double deviation, std::size_t count, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> draw(mean, deviation);
  std::vector<double> values(count);
  for (double &value : values) value = draw(generator);
  return values;
}

std::vector<double> joined(std::vector<double> a, const std::vector<double> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Outliers, AreCountedOnTheirSide) {
  std::vector<double> values = normal(1000, 5, 200);
  EXPECT_EQ(count_outliers(values).low + count_outliers(values).high, 0u);
  values.insert(values.end(), {2000, 1500, 100});
  EXPECT_EQ(count_outliers(values).high, 2u);
  EXPECT_EQ(count_outliers(values).low, 1u);
}

TEST(Outliers, OfNothingAreNone) {
  EXPECT_EQ(count_outliers({}).high, 0u);
  EXPECT_EQ(count_outliers(std::vector<double>{1, NAN}).high, 0u);
}

// The two speeds of a bf16 1024^3: 8.38 us and 8.96 us.
TEST(Modes, TwoSpeedsAreNamed) {
  const auto modes = find_modes(joined(normal(8380, 30, 60), normal(8960, 30, 40, 2)), 80);
  ASSERT_TRUE(modes);
  EXPECT_NEAR(modes->low, 8380, 20);
  EXPECT_NEAR(modes->high, 8960, 20);
  EXPECT_NEAR(modes->high_share, 0.4, 1e-9);
}

TEST(Modes, OneHeapHasNone) {
  for (unsigned seed = 0; seed < 200; ++seed) EXPECT_FALSE(find_modes(normal(1000, 20, 50, seed), 10)) << seed;
  std::vector<double> even;
  for (int i = 0; i < 200; ++i) even.push_back(1000 + i);
  EXPECT_FALSE(find_modes(even, 10));
}

TEST(Modes, AHeavyTailIsNoHeap) {
  std::vector<double> values = normal(1000, 3, 100);
  for (int i = 0; i < 8; ++i) values.push_back(1100 + 150 * i);
  EXPECT_FALSE(find_modes(values, 10));
}

TEST(Modes, TicksOfTheTimerAreNoHeaps) {
  std::vector<double> values(50, 5088);
  values.resize(100, 5120);
  EXPECT_FALSE(find_modes(values, 96));
  EXPECT_TRUE(find_modes(values, 20));
}

TEST(Modes, TiesAndFewSamplesHaveNone) {
  EXPECT_FALSE(find_modes(std::vector<double>(100, 5.0), 0));
  EXPECT_FALSE(find_modes(std::vector<double>{1, 1, 1, 9, 9, 9}, 1));
  EXPECT_FALSE(find_modes(joined(normal(1, 0, 50), {NAN}), 0));
}

// At 1024^3 seven of fifty samples lay 4 % above the others.
TEST(Modes, RecordedSamplesHaveThemWhereOneSees) {
  for (const test::Recorded &run : test::recorded()) {
    const auto modes = find_modes(run.candidate, 0.01 * *median(run.candidate));
    EXPECT_EQ(modes.has_value(), std::string(run.shape) == "1024x1024x1024") << run.shape;
    if (modes) {
      EXPECT_NEAR(modes->high_share, 0.14, 0.001);
    }
  }
}

TEST(Modes, ScalingChangesNothing) {
  rc::check([] {
    const double scale = *rc::gen::inRange(1, 1000) / 10.0;
    std::vector<double> values = joined(normal(100, 1, 40), normal(120, 1, 40, 2));
    const auto before = find_modes(values, 5);
    for (double &value : values) value *= scale;
    const auto after = find_modes(values, 5 * scale);
    RC_ASSERT(before && after);
    RC_ASSERT(std::fabs(after->high / before->high / scale - 1) < 1e-9);
    RC_ASSERT(before->high_share == after->high_share);
  });
}

TEST(PositiveMean, IgnoresNothing) {
  EXPECT_EQ(positive_mean(std::vector<double>{1, 3}), 2.0);
  EXPECT_FALSE(positive_mean({}));
  EXPECT_FALSE(positive_mean(std::vector<double>{1, 0}));
  EXPECT_FALSE(positive_mean(std::vector<double>{1, std::numeric_limits<double>::infinity()}));
}

}  // namespace
