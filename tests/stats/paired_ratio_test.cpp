#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <rapidcheck.h>

#include "stats/statistics.h"

namespace {

using namespace pyc::stats;

// Pairs whose ratio is `ratio` but for noise that both arms share and noise of their own, like samples of a GPU whose
// clock drifts.
PairedSamples noisy_pairs(double ratio, double own_noise, std::size_t pairs, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  PairedSamples samples;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double drift = 1 + 0.3 * std::sin(static_cast<double>(i) * 0.1);
    samples.denominator.push_back(1e5 * drift * (1 + own_noise * normal(generator)));
    samples.numerator.push_back(1e5 * ratio * drift * (1 + own_noise * normal(generator)));
  }
  return samples;
}

PairedSamples arbitrary_pairs(std::size_t pairs) {
  return noisy_pairs(*rc::gen::inRange(50, 200) / 100.0, *rc::gen::inRange(1, 50) / 1000.0, pairs,
                     static_cast<unsigned>(*rc::gen::inRange(0, 1000000)));
}

TEST(PairedRatio, WithoutNoiseIsThePlainRatio) {
  const auto interval = paired_ratio({{3, 6, 9}, {2, 4, 6}}).value();
  EXPECT_EQ(interval.estimate, 1.5);
  EXPECT_EQ(interval.low, 1.5);
  EXPECT_EQ(interval.high, 1.5);
}

TEST(PairedRatio, IsTheMedianOfRatiosNotTheRatioOfMedians) {
  EXPECT_EQ(paired_ratio({{10, 20, 90}, {10, 10, 100}})->estimate, 1.0);
}

TEST(PairedRatio, SharedDriftCancels) {
  const auto interval = paired_ratio(noisy_pairs(1.05, 0.002, 100)).value();
  EXPECT_NEAR(interval.estimate, 1.05, 0.002);
  EXPECT_LT(interval.high - interval.low, 0.004);
}

// The figures of a run must come out again on any machine, with any compiler and C library.
TEST(PairedRatio, IsReproducibleToTheLastBit) {
  PairedSamples samples;
  for (int i = 0; i < 21; ++i) {
    samples.numerator.push_back(1000 + (i * 37) % 101);
    samples.denominator.push_back(950 + (i * 53) % 97);
  }
  const auto one = paired_ratio(samples).value();
  EXPECT_EQ(one.estimate, 0x1.0d79435e50d79p+0);
  EXPECT_EQ(one.low, 0x1.08ad8f2fba938p+0);
  EXPECT_EQ(one.high, 0x1.12864db35421fp+0);

  std::vector<PairedSamples> shapes(3, samples);
  for (double &value : shapes[1].numerator) value *= 1.1;
  for (double &value : shapes[2].numerator) value *= 0.97;
  const auto three = geometric_mean_ratio(shapes).value();
  EXPECT_EQ(three.estimate, 0x1.135cc07efc243p+0);
  EXPECT_EQ(three.low, 0x1.0fdb53c417626p+0);
  EXPECT_EQ(three.high, 0x1.163e1dcf1271ep+0);
}

TEST(PairedRatio, TheSeedMovesTheIntervalButNotTheEstimate) {
  const auto samples = noisy_pairs(1.0, 0.02, 200);
  const auto a = paired_ratio(samples, kConfidence, 1).value(), b = paired_ratio(samples, kConfidence, 2).value();
  EXPECT_EQ(a.estimate, b.estimate);
  EXPECT_TRUE(a.low != b.low || a.high != b.high);
  EXPECT_NEAR(a.low, b.low, (a.high - a.low) / 4);
}

TEST(PairedRatio, MoreConfidenceIsWider) {
  const auto samples = noisy_pairs(1.0, 0.02, 50);
  const auto narrow = paired_ratio(samples, 0.5).value(), wide = paired_ratio(samples, 0.99).value();
  EXPECT_LT(wide.low, narrow.low);
  EXPECT_GT(wide.high, narrow.high);
}

TEST(PairedRatio, HasNoValueForSamplesThatCannotBe) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(paired_ratio({}));
  EXPECT_FALSE(paired_ratio({{1, 2}, {1}}));
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) {
    EXPECT_FALSE(paired_ratio({{1, bad}, {1, 1}})) << bad;
    EXPECT_FALSE(paired_ratio({{1, 1}, {1, bad}})) << bad;
  }
  EXPECT_FALSE(paired_ratio({{1e300}, {1e-300}}));
  for (const double confidence : {0.0, 1.0, kNan}) EXPECT_FALSE(paired_ratio({{1}, {1}}, confidence));
  EXPECT_FALSE(paired_ratio({{1}, {1}}, kConfidence, 1, 0));
}

TEST(PairedRatio, OnePairHasAnIntervalOfNoWidth) {
  const auto interval = paired_ratio({{3}, {2}}).value();
  EXPECT_EQ(interval.low, interval.high);
}

TEST(PairedRatio, TheEstimateLiesInTheInterval) {
  EXPECT_TRUE(rc::check([] {
    const auto interval = paired_ratio(arbitrary_pairs(*rc::gen::inRange<std::size_t>(3, 60))).value();
    RC_ASSERT(interval.low <= interval.estimate);
    RC_ASSERT(interval.estimate <= interval.high);
  }));
}

TEST(PairedRatio, SwappingTheArmsInvertsIt) {
  EXPECT_TRUE(rc::check([] {
    // An odd number, because the middle of two ratios is not the middle of their inverses.
    const auto samples = arbitrary_pairs(2 * *rc::gen::inRange<std::size_t>(20, 60) + 1);
    const auto there = paired_ratio(samples).value();
    const auto back = paired_ratio({samples.denominator, samples.numerator}).value();
    RC_ASSERT(std::abs(there.estimate * back.estimate - 1) < 1e-12);
    const double width = there.high / there.low - 1;
    RC_ASSERT(std::abs(there.low * back.high - 1) < width);
    RC_ASSERT(std::abs(there.high * back.low - 1) < width);
  }));
}

TEST(PairedRatio, TheUnitOfTimeDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    auto samples = arbitrary_pairs(*rc::gen::inRange<std::size_t>(1, 60));
    const auto before = paired_ratio(samples).value();
    // A power of two, so that the scaling itself rounds nothing.
    for (double &value : samples.numerator) value *= 1024;
    for (double &value : samples.denominator) value *= 1024;
    const auto after = paired_ratio(samples).value();
    RC_ASSERT(before.estimate == after.estimate);
    RC_ASSERT(before.low == after.low);
    RC_ASSERT(before.high == after.high);
  }));
}

TEST(PairedRatio, TheOrderOfThePairsDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    const auto samples = arbitrary_pairs(*rc::gen::inRange<std::size_t>(1, 60));
    std::vector<std::size_t> order(samples.numerator.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(*rc::gen::inRange(0, 1000))));
    PairedSamples shuffled;
    for (const std::size_t i : order) {
      shuffled.numerator.push_back(samples.numerator[i]);
      shuffled.denominator.push_back(samples.denominator[i]);
    }
    const auto before = paired_ratio(samples).value(), after = paired_ratio(shuffled).value();
    RC_ASSERT(before.estimate == after.estimate);
    RC_ASSERT(before.low == after.low);
    RC_ASSERT(before.high == after.high);
  }));
}

// 95 % of such intervals should hold the true ratio; 200 trials put the count within 180 to 199 but for one run in
// 1000.
TEST(PairedRatio, TheIntervalHoldsTheTruthAsOftenAsItClaims) {
  int held = 0;
  for (unsigned trial = 0; trial < 200; ++trial) {
    const auto interval = paired_ratio(noisy_pairs(1.03, 0.02, 60, trial), kConfidence, trial, 500).value();
    held += interval.low <= 1.03 && 1.03 <= interval.high;
  }
  EXPECT_GE(held, 180);
  EXPECT_LE(held, 199);
}

TEST(GeometricMeanRatio, OfOneShapeIsItsPairedRatio) {
  const auto samples = noisy_pairs(1.1, 0.02, 40);
  const auto one = paired_ratio(samples).value(), mean = geometric_mean_ratio({&samples, 1}).value();
  EXPECT_EQ(one.estimate, mean.estimate);
  EXPECT_EQ(one.low, mean.low);
}

TEST(GeometricMeanRatio, OppositeShapesCancel) {
  const std::vector<PairedSamples> shapes = {{{2, 2, 2}, {1, 1, 1}}, {{1, 1}, {2, 2}}};
  EXPECT_NEAR(geometric_mean_ratio(shapes)->estimate, 1, 1e-15);
}

TEST(GeometricMeanRatio, MoreShapesNarrowTheInterval) {
  std::vector<PairedSamples> shapes;
  for (unsigned seed = 0; seed < 9; ++seed) shapes.push_back(noisy_pairs(1.05, 0.02, 50, seed));
  const auto one = geometric_mean_ratio({shapes.data(), 1}).value(), nine = geometric_mean_ratio(shapes).value();
  EXPECT_LT(nine.high - nine.low, (one.high - one.low) / 2);
}

TEST(GeometricMeanRatio, OneShapeWithoutSamplesLeavesNoValue) {
  EXPECT_FALSE(geometric_mean_ratio({}));
  const std::vector<PairedSamples> shapes = {{{1}, {1}}, {}};
  EXPECT_FALSE(geometric_mean_ratio(shapes));
}

TEST(PairsToDecide, FourTimesThePairsHalveTheWidth) { EXPECT_EQ(pairs_to_decide({1.03, 1.01, 1.05}, 50, 1.02), 200); }

TEST(PairsToDecide, NoMoreAreNeededWhenItIsDecided) { EXPECT_EQ(pairs_to_decide({1.05, 1.03, 1.07}, 50, 1.02), 50); }

TEST(PairsToDecide, HasNoValueWhenNoNumberWouldDo) {
  EXPECT_FALSE(pairs_to_decide({1.01, 0.99, 1.03}, 50, 1.02));
  EXPECT_FALSE(pairs_to_decide({1.02, 0.99, 1.03}, 50, 1.02));
  EXPECT_FALSE(pairs_to_decide({1.02 + 1e-15, 0.5, 1.5}, 50, 1.02));
  EXPECT_FALSE(pairs_to_decide({1.05, std::nan(""), 1.07}, 50, 1.02));
  EXPECT_FALSE(pairs_to_decide({1.05, 1.03, 1.07}, 0, 1.02));
}

}  // namespace
