#include "pattern.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace pyc::harness {
namespace {

TEST(Pattern, ValuesAreUniformWithTheAmplitudeAskedFor) {
  const Pattern pattern{derive_seed(1, 0), std::sqrt(3.0f), DType::fp32};
  double sum = 0, squares = 0;
  constexpr int kSide = 400;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const double value = pattern_value(pattern, row, column);
      ASSERT_LE(std::fabs(value), std::sqrt(3.0) + 1e-6);
      sum += value, squares += value * value;
    }
  }
  EXPECT_NEAR(sum / (kSide * kSide), 0.0, 0.01);
  EXPECT_NEAR(squares / (kSide * kSide), 1.0, 0.01);
}

TEST(Pattern, DependsOnRowColumnAndSeed) {
  const Pattern pattern{1, 1.0f, DType::fp32}, other{2, 1.0f, DType::fp32};
  std::set<float> seen;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 100; ++j) seen.insert(pattern_value(pattern, i, j));
  }
  EXPECT_GT(seen.size(), 9990u);
  EXPECT_NE(pattern_value(pattern, 3, 5), pattern_value(pattern, 5, 3));
  EXPECT_NE(pattern_value(pattern, 3, 5), pattern_value(other, 3, 5));
}

TEST(Pattern, EveryBitOfTheMantissaIsUsed) {
  const Pattern pattern{5, 1.0f, DType::fp32};
  uint32_t ones = 0, zeros = 0;
  for (int i = 0; i < 1000; ++i) {
    const uint32_t bits = float_bits(pattern_value(pattern, i, 0));
    ones |= bits, zeros |= ~bits;
  }
  EXPECT_EQ(ones & 0x7fffffu, 0x7fffffu);
  EXPECT_EQ(zeros & 0x7fffffu, 0x7fffffu);
}

TEST(Pattern, ValuesAreRoundedToTheElementType) {
  for (const DType dtype : {DType::fp16, DType::bf16}) {
    const Pattern pattern{5, 1.0f, dtype};
    for (int i = 0; i < 1000; ++i) {
      const float value = pattern_value(pattern, i, 1);
      EXPECT_EQ(round_to(dtype, value), value);
    }
  }
}

TEST(Pattern, PoisonIsANanInEveryType) {
  EXPECT_TRUE(std::isnan(bits_float(kPoison)));
  EXPECT_TRUE(std::isnan(fp16_value(kPoison & 0xffffu)));
  EXPECT_TRUE(std::isnan(bf16_value(kPoison & 0xffffu)));
}

TEST(Placement, LocatesTheMatrixAndNothingElse) {
  const Placement place{100, 10, 3, 4, 7, false};
  int inside = 0;
  for (int64_t i = 0; i < place.capacity; ++i) {
    int64_t row = -1, column = -1;
    if (!locate(place, i, &row, &column)) continue;
    ++inside;
    EXPECT_EQ(10 + row * 7 + column, i);
    EXPECT_LT(column, 4);
  }
  EXPECT_EQ(inside, 12);
}

TEST(Placement, AStoredTransposeSwapsTheLogicalPosition) {
  const Placement place{100, 0, 3, 4, 4, true};
  int64_t row = 0, column = 0;
  ASSERT_TRUE(locate(place, 1 * 4 + 2, &row, &column));
  EXPECT_EQ(row, 2);
  EXPECT_EQ(column, 1);
}

}  // namespace
}  // namespace pyc::harness
