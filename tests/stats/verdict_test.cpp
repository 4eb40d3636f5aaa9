#include "stats/verdict.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <rapidcheck.h>

#include "recorded_samples.h"

namespace {

using namespace pyc::stats;

constexpr double kBar = 1.02;
const Interval kQuiet = {1.0, 0.998, 1.002};

Decision decided(const Interval &ratio) { return decide({ratio, kQuiet, 1.0, false}, kBar); }

struct Row {
  Interval ratio;
  Verdict verdict;
  Reason reason;
};

TEST(Verdict, FollowsFromTheInterval) {
  const Row rows[] = {
      {{1.05, 1.03, 1.07}, Verdict::kFaster, Reason::kAboveBar},
      {{1.03, 1.02, 1.04}, Verdict::kFaster, Reason::kAboveBar},
      {{1.03, 1.019, 1.04}, Verdict::kAmbiguous, Reason::kStraddlesBar},
      {{1.01, 0.99, 1.03}, Verdict::kAmbiguous, Reason::kStraddlesBar},
      {{1.00, 0.99, 1.01}, Verdict::kSame, Reason::kBetweenBars},
      {{0.985, 0.97, 1.00}, Verdict::kAmbiguous, Reason::kStraddlesInverse},
      {{0.95, 0.94, 0.96}, Verdict::kSlower, Reason::kBelowInverse},
      {{1.00, 0.90, 1.10}, Verdict::kAmbiguous, Reason::kStraddlesBar},
      {{NAN, NAN, NAN}, Verdict::kAmbiguous, Reason::kBimodal},
  };
  for (const Row &row : rows) {
    const Decision decision = decided(row.ratio);
    EXPECT_EQ(decision.verdict, row.verdict) << row.ratio.low << " to " << row.ratio.high;
    if (!std::isnan(row.ratio.low)) {
      ASSERT_FALSE(decision.reasons.empty());
      EXPECT_EQ(decision.reasons.front(), row.reason) << row.ratio.low << " to " << row.ratio.high;
    }
  }
}

TEST(Verdict, IsNoisyWhereTheMachineCouldNotHaveTold) {
  const Interval clear = {1.2, 1.19, 1.21};
  EXPECT_EQ(decide({clear, std::nullopt, 1.0, false}, kBar).reasons.front(), Reason::kNoControl);
  EXPECT_EQ(decide({clear, Interval{1.0, 0.97, 1.03}, 1.0, false}, kBar).reasons.front(), Reason::kControlOffOne);
  EXPECT_EQ(decide({clear, Interval{NAN, NAN, NAN}, 1.0, false}, kBar).verdict, Verdict::kNoisy);
  EXPECT_EQ(decide({clear, kQuiet, NAN, false}, kBar).verdict, Verdict::kNoisy);
  EXPECT_EQ(decide({std::nullopt, kQuiet, 1.0, false}, kBar).reasons.front(), Reason::kNoSamples);
  EXPECT_EQ(decide({clear, kQuiet, std::nullopt, false}, kBar).verdict, Verdict::kFaster) << "no clocks: none differ";
}

// The baseline ran at a lower clock: how much of the ratio is the clock's?
TEST(Verdict, DifferentClocksMustNotDecide) {
  const Interval close = {1.03, 1.025, 1.035}, clear = {1.2, 1.19, 1.21};
  EXPECT_EQ(decide({close, kQuiet, 0.992, false}, kBar).verdict, Verdict::kFaster);
  EXPECT_EQ(decide({close, kQuiet, 0.985, false}, kBar).verdict, Verdict::kNoisy);
  EXPECT_EQ(decide({close, kQuiet, 0.985, false}, kBar).reasons.front(), Reason::kClocksDiffer);
  EXPECT_EQ(decide({clear, kQuiet, 0.90, false}, kBar).verdict, Verdict::kFaster);
  EXPECT_EQ(decide({clear, kQuiet, 0.90, false}, kBar).reasons.back(), Reason::kClocksDiffer);
  EXPECT_EQ(decide({close, kQuiet, 1.1, false}, kBar).verdict, Verdict::kFaster) << "at a lower clock, and faster";
}

TEST(Verdict, TwoHeapsAreNamedAndDecideNothing) {
  const Decision decision = decide({Interval{1.2, 1.19, 1.21}, kQuiet, 1.0, true}, kBar);
  EXPECT_EQ(decision.verdict, Verdict::kFaster);
  EXPECT_EQ(decision.reasons.back(), Reason::kBimodal);
}

TEST(Verdict, EveryWordHasItsCode) {
  EXPECT_EQ(to_string(Verdict::kAmbiguous), "ambiguous");
  for (int i = 0; i <= static_cast<int>(Reason::kBimodal); ++i) EXPECT_NE(to_string(static_cast<Reason>(i)), "unknown");
}

// One kernel, timed three times in one run on an H200.
TEST(Verdict, RecordedSamplesOfOneKernelAreTheSame) {
  for (const test::Recorded &run : test::recorded()) {
    const auto ratio = paired_ratio({run.incumbent, run.candidate}),
               control = paired_ratio({run.incumbent, run.control});
    EXPECT_EQ(decide({ratio, control, 1.0, false}, kBar).verdict, Verdict::kSame) << run.shape;
  }
}

std::vector<double> samples(double mean, double noise, std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::student_t_distribution<double> heavy(3);
  std::vector<double> values(count);
  for (double &value : values) value = mean * (1 + noise * std::fabs(heavy(generator)));
  return values;
}

TEST(Verdict, AHeavyTailOfEqualKernelsIsNeverFaster) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto a = samples(1e4, 0.01, 50, 3 * seed), b = samples(1e4, 0.01, 50, 3 * seed + 1);
    EXPECT_NE(decide({paired_ratio({a, b}), kQuiet, 1.0, false}, kBar).verdict, Verdict::kFaster) << seed;
  }
}

TEST(Verdict, OneSampleOrAZeroDecidesNothing) {
  EXPECT_EQ(decide({paired_ratio({{1, 0}, {1, 1}}), kQuiet, 1.0, false}, kBar).verdict, Verdict::kNoisy);
  EXPECT_EQ(decide({paired_ratio({{}, {}}), kQuiet, 1.0, false}, kBar).verdict, Verdict::kNoisy);
}

TEST(Verdict, SwappingTheArmsMirrorsIt) {
  rc::check([] {
    const double low = *rc::gen::inRange(900, 1100) / 1000.0, width = *rc::gen::inRange(0, 100) / 1000.0;
    const Interval ratio{low + width / 2, low, low + width}, swapped{1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low};
    // A bar that no end falls on, so that rounding 1/x decides nothing.
    const Verdict one = decide({ratio, kQuiet, 1.0, false}, 1.0203).verdict;
    const Verdict other = decide({swapped, kQuiet, 1.0, false}, 1.0203).verdict;
    if (one == Verdict::kFaster) RC_ASSERT(other == Verdict::kSlower);
    if (one == Verdict::kSlower) RC_ASSERT(other == Verdict::kFaster);
    if (one == Verdict::kSame || one == Verdict::kAmbiguous) RC_ASSERT(other == one);
  });
}

TEST(Confidence, TheFirstAttemptHasThePlainInterval) {
  EXPECT_DOUBLE_EQ(confidence_of(1), 0.95);
  EXPECT_DOUBLE_EQ(confidence_of(0), 0.95);
}

TEST(Confidence, AllAttemptsTogetherErrLessThanTwiceAsOften) {
  double error = 0;
  for (int attempt = 1; attempt <= 1000; ++attempt) {
    error += 1 - confidence_of(attempt);
    EXPECT_GE(confidence_of(attempt), confidence_of(attempt - 1));
  }
  EXPECT_LE(error, 0.1);
}

TEST(Confidence, LooksShareAnAttempt) {
  EXPECT_NEAR(1 - confidence_of(1, 4), 0.05 / 4, 1e-12);
  EXPECT_NEAR(1 - confidence_of(3, 2), 0.05 / 6 / 2, 1e-12);
}

TEST(Confidence, LooksDoubleTheSamplesUpToTheMost) {
  EXPECT_EQ(looks_within(50, 50), 1);
  EXPECT_EQ(looks_within(50, 0), 1);
  EXPECT_EQ(looks_within(50, 51), 2);
  EXPECT_EQ(looks_within(50, 100), 2);
  EXPECT_EQ(looks_within(50, 200), 3);
  EXPECT_EQ(looks_within(50, 201), 4);
  EXPECT_EQ(looks_within(0, 100), 1);
  EXPECT_EQ(looks_within(1, 2147483647), 32);
}

TEST(Confidence, TailsHaveSubstance) {
  EXPECT_EQ(resamples_for(0.95), kBootstrapResamples);
  EXPECT_NEAR(resamples_for(confidence_of(5)), 16000, 1);
  EXPECT_EQ(resamples_for(confidence_of(1000)), 100000);
}

// Trying until it works must not pay: of kernels exactly at the bar, tried five times each, few ever pass.
TEST(Confidence, TryingAgainDoesNotPay) {
  int promoted = 0;
  constexpr int kKernels = 100;
  for (int kernel = 0; kernel < kKernels; ++kernel) {
    for (int attempt = 1; attempt <= 5; ++attempt) {
      std::mt19937 generator(static_cast<unsigned>(1000 * kernel + attempt));
      std::normal_distribution<double> noise(0, 0.01);
      PairedSamples pairs;
      for (int i = 0; i < 30; ++i) {
        pairs.numerator.push_back(kBar * (1 + noise(generator)));
        pairs.denominator.push_back(1 + noise(generator));
      }
      const double confidence = confidence_of(attempt);
      const auto ratio = paired_ratio(pairs, confidence, kBootstrapSeed, std::min(resamples_for(confidence), 4000));
      if (ratio->low < kBar) continue;
      ++promoted;
      break;
    }
  }
  EXPECT_LE(promoted, kKernels / 10);
}

// Nor must looking while the samples come in: of kernels exactly at the bar, looked at whenever the samples have
// doubled and stopped as soon as the interval lies on one side, few pass.
TEST(Confidence, StoppingWhenItIsDecidedDoesNotPay) {
  constexpr int kKernels = 100, kRepeats = 30, kMaxRepeats = 120, kResamples = 1000;
  const int looks = looks_within(kRepeats, kMaxRepeats);
  const double confidence = confidence_of(1, looks);
  int promoted = 0;
  for (int kernel = 0; kernel < kKernels; ++kernel) {
    std::mt19937 generator(static_cast<unsigned>(kernel));
    std::normal_distribution<double> noise(0, 0.01);
    PairedSamples pairs;
    for (int total = kRepeats; total <= kMaxRepeats; total *= 2) {
      while (static_cast<int>(pairs.numerator.size()) < total) {
        pairs.numerator.push_back(kBar * (1 + noise(generator)));
        pairs.denominator.push_back(1 + noise(generator));
      }
      const auto ratio = paired_ratio(pairs, confidence, kBootstrapSeed, kResamples);
      if (ratio->low >= kBar) ++promoted;
      if (ratio->low >= kBar || ratio->high < kBar) break;
    }
  }
  EXPECT_LE(promoted, kKernels / 20);
}

}  // namespace
