#include "stats/statistics.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck.h>

#include "stats/portable_math.h"

namespace {

using namespace pyc::stats;
using Values = std::vector<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Between 2^-20 and 2^20, with a full mantissa.
rc::Gen<Values> positive_values() {
  return rc::gen::nonEmpty(rc::gen::container<Values>(rc::gen::map(
      rc::gen::inRange<std::int64_t>(-200000000, 200000000), [](std::int64_t i) { return std::exp2(i * 1e-7); })));
}

TEST(Median, IsTheMiddleOrHalfwayBetweenTheMiddleTwo) {
  EXPECT_EQ(median(Values{3}), 3);
  EXPECT_EQ(median(Values{9, 1, 5}), 5);
  EXPECT_EQ(median(Values{9, 1, 5, 2}), 3.5);
  EXPECT_EQ(median(Values{1e308, 1.5e308}), 1.25e308);
}

TEST(Median, HasNoValueForNothingOrNan) {
  EXPECT_FALSE(median(Values{}));
  EXPECT_FALSE(median(Values{1, kNan, 3}));
}

TEST(Median, AsManyValuesLieBelowAsAbove) {
  EXPECT_TRUE(rc::check([] {
    const auto values = *positive_values();
    const double middle = *median(values);
    const auto below = std::count_if(values.begin(), values.end(), [&](double v) { return v < middle; });
    const auto above = std::count_if(values.begin(), values.end(), [&](double v) { return v > middle; });
    RC_ASSERT(2 * std::max(below, above) <= static_cast<std::ptrdiff_t>(values.size()));
  }));
}

TEST(Quantile, InterpolatesAsTypeSeven) {
  const Values values = {40, 10, 30, 20};  // R: quantile(c(10, 20, 30, 40), c(.1, .25, .9), type = 7)
  EXPECT_DOUBLE_EQ(*quantile(values, 0.1), 13);
  EXPECT_DOUBLE_EQ(*quantile(values, 0.25), 17.5);
  EXPECT_DOUBLE_EQ(*quantile(values, 0.9), 37);
  EXPECT_EQ(quantile(values, 0), 10);
  EXPECT_EQ(quantile(values, 1), 40);
}

TEST(Quantile, HasNoValueOutsideItsDomain) {
  for (const double q : {-0.1, 1.1, kNan}) EXPECT_FALSE(quantile(Values{1, 2}, q)) << q;
  EXPECT_FALSE(quantile(Values{}, 0.5));
  EXPECT_FALSE(quantile(Values{kNan}, 0.5));
}

TEST(Quantile, GrowsWithQAndItsHalfIsTheMedian) {
  EXPECT_TRUE(rc::check([] {
    const auto values = *positive_values();
    double last = 0;
    for (const double q : {0.0, 0.025, 0.3, 0.5, 0.77, 0.975, 1.0}) {
      RC_ASSERT(*quantile(values, q) >= last);
      last = *quantile(values, q);
    }
    RC_ASSERT(std::abs(*quantile(values, 0.5) / *median(values) - 1) < 1e-12);
  }));
}

TEST(Mean, AndTheSpreadAroundIt) {
  EXPECT_EQ(mean(Values{1, 2, 6}), 3);
  EXPECT_EQ(standard_deviation(Values{2, 4, 4, 4, 5, 5, 7, 9}), 2);
  EXPECT_EQ(standard_deviation(Values{3}), 0);
}

TEST(Mean, OfNothingOrOfANanIsNoValue) {
  EXPECT_FALSE(mean(Values{}));
  EXPECT_FALSE(mean(Values{1, kNan}));
  EXPECT_FALSE(standard_deviation(Values{}));
  EXPECT_FALSE(standard_deviation(Values{kNan}));
}

TEST(GeometricMean, OfOneValueIsThatValue) { EXPECT_EQ(geometric_mean(Values{1.02}), 1.02); }

TEST(GeometricMean, OfAValueAndItsInverseIsOne) { EXPECT_NEAR(*geometric_mean(Values{1.25, 0.8}), 1, 1e-15); }

TEST(GeometricMean, RefusesWhatHasNoLogarithm) {
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) EXPECT_FALSE(geometric_mean(Values{1, bad})) << bad;
  EXPECT_FALSE(geometric_mean(Values{}));
}

TEST(GeometricMean, DoesNotOverflow) {
  EXPECT_NEAR(*geometric_mean(Values(1000, 1e300)) / 1e300, 1, 1e-10);
  EXPECT_NEAR(*geometric_mean(Values(1000, 1e-300)) / 1e-300, 1, 1e-10);
}

TEST(PortableMath, AgreesWithTheCLibrary) {
  for (int i = -4000; i <= 4000; ++i) {
    const double x = i * 0.17 + 0.001, y = std::exp2(i / 4.0) * 1.0007;
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-13) << x;
    EXPECT_NEAR(portable_log(y), std::log(y), 1e-14 * std::max(1.0, std::abs(std::log(y)))) << y;
  }
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_exp(0), 1);
}

}  // namespace
