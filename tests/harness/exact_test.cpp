// The exact comparison on host arrays: the right product passes, and every way to be wrong by one thing is found.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "pattern.h"
#include "tally.h"

namespace pyc::harness {
namespace {

constexpr int64_t kM = 12, kN = 12, kK = 1029;

Pattern pattern_of(DType dtype, Values values, uint64_t seed) {
  Pattern pattern{seed, 0, dtype};
  pattern.values = values, pattern.whole = whole_numbers(dtype, kK);
  return pattern;
}

using Matrix = std::vector<double>;
using Weight = std::function<double(int64_t row, int64_t column, int64_t l)>;

Matrix product(DType dtype, const Weight &weight) {
  const Pattern a = pattern_of(dtype, Values::whole_a, 1), b = pattern_of(dtype, Values::whole_b, 2);
  Matrix out(kM * kN);
  for (int64_t i = 0; i < kM * kN; ++i) {
    const int64_t row = i / kN, column = i % kN;
    for (int64_t l = 0; l < kK; ++l) {
      const double term = double{pattern_value(a, row, l)} * pattern_value(b, l, column);
      out[static_cast<size_t>(i)] += weight(row, column, l) * term;
    }
  }
  return out;
}

Matrix right_product(DType dtype) {
  return product(dtype, [](int64_t, int64_t, int64_t) { return 1.0; });
}

Tally compare(DType dtype, const Matrix &want, const Matrix &got) {
  Tally tally;
  for (size_t i = 0; i < want.size(); ++i) {
    const double stored = round_to(dtype, static_cast<float>(got[i]));
    count_exact(tally, dtype, 0, static_cast<int64_t>(i), want[i], stored);
  }
  return tally;
}

class Exact : public testing::TestWithParam<DType> {
 protected:
  const Matrix want_ = right_product(GetParam());
  Matrix got_ = want_;
  Tally tally() const { return compare(GetParam(), want_, got_); }
};

TEST_P(Exact, TheRightResultPasses) {
  EXPECT_EQ(tally().violations, 0);
  EXPECT_EQ(tally().elements, kM * kN);
}

TEST_P(Exact, EveryFlippedBitIsFound) {
  for (int bit = 0; bit < (GetParam() == DType::fp32 ? 32 : 16); ++bit) {
    const auto value = static_cast<float>(want_[77]);
    const uint32_t bits = element_bits(GetParam(), value) ^ (1u << bit);
    const double flipped = load_element(GetParam(), &bits, 0);
    Tally tally;
    count_exact(tally, GetParam(), 0, 77, want_[77], flipped);
    EXPECT_EQ(tally.violations, 1) << bit;
    EXPECT_EQ(tally.first, 77);
  }
}

TEST_P(Exact, ASwappedPairIsFound) {
  ASSERT_NE(got_[3], got_[40]);
  std::swap(got_[3], got_[40]);
  EXPECT_EQ(tally().violations, 2);
  EXPECT_EQ(tally().first, 3);
}

TEST_P(Exact, AShiftedRowIsFound) {
  for (int64_t column = kN - 1; column > 0; --column)
    got_[static_cast<size_t>(column)] = got_[static_cast<size_t>(column - 1)];
  EXPECT_GT(tally().violations, kN / 2);
}

TEST_P(Exact, ATransposedResultIsFound) {
  for (int64_t i = 0; i < kM * kN; ++i) got_[static_cast<size_t>(i)] = want_[static_cast<size_t>(i % kN * kM + i / kN)];
  EXPECT_GT(tally().violations, kM * kN / 2);
}

TEST_P(Exact, ZerosAndNanAreFound) {
  got_.assign(got_.size(), 0.0);
  EXPECT_GT(tally().violations, kM * kN * 9 / 10);
  got_ = want_;
  got_[9] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(tally().violations, 1);
  EXPECT_EQ(tally().first, 9);
}

TEST_P(Exact, AnyOneDroppedTermOfOneElementIsFound) {
  for (const int64_t dropped : {int64_t{0}, int64_t{1}, kK / 2, kK - 2, kK - 1}) {
    got_ = product(GetParam(), [&](int64_t row, int64_t column, int64_t l) {
      return row == 5 && column == 7 && l == dropped ? 0.0 : 1.0;
    });
    EXPECT_EQ(tally().violations, 1) << dropped;
    EXPECT_EQ(tally().first, 5 * kN + 7);
  }
}

TEST_P(Exact, ASliceAddedTwiceIsFoundInEveryElement) {
  got_ = product(GetParam(), [](int64_t, int64_t, int64_t l) { return l < 16 ? 2.0 : 1.0; });
  EXPECT_EQ(tally().violations, kM * kN);
}

TEST_P(Exact, PartialSumsKeptInASixteenBitTypeAreFound) {
  if (GetParam() == DType::fp32) GTEST_SKIP() << "fp32 has no narrower partial sums here";
  const Matrix first = product(GetParam(), [](int64_t, int64_t, int64_t l) { return l < 500 ? 1.0 : 0.0; });
  for (size_t i = 0; i < got_.size(); ++i) {
    const auto low = static_cast<float>(first[i]), high = static_cast<float>(want_[i] - first[i]);
    got_[i] = double{bf16_value(bf16_bits(low))} + bf16_value(bf16_bits(high));
  }
  EXPECT_GT(tally().violations, kM * kN / 2);
}

TEST_P(Exact, ZerosOfEitherSignAreEqual) {
  Tally tally;
  count_exact(tally, GetParam(), 0, 0, 0.0, -0.0);
  count_exact(tally, GetParam(), 0, 1, -0.0, 0.0);
  EXPECT_EQ(tally.violations, 0);
}

TEST_P(Exact, SpecialValuesMustBeWhereTheyAreExpected) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  Tally tally;
  count_exact(tally, GetParam(), 0, 0, nan, -nan);
  count_exact(tally, GetParam(), 0, 1, infinity, infinity);
  EXPECT_EQ(tally.violations, 0);
  const double wrong[][2] = {{nan, 1},         {1, nan},        {infinity, -infinity},
                             {infinity, 3e38}, {infinity, nan}, {nan, infinity}};
  for (const auto &pair : wrong) count_exact(tally, GetParam(), 1e30, 2, pair[0], pair[1]);
  EXPECT_EQ(tally.violations, 6);
}

// A sum of subnormal numbers times whole ones, and what is left of it when each of them was flushed.
TEST_P(Exact, FlushedSubnormalsAreForgivenExceptInFp16) {
  const double tiny = 1000 * static_cast<double>(least_subnormal(GetParam()));
  Tally tally;
  count_exact(tally, GetParam(), flush_slack(GetParam()), 0, tiny, 0.0);
  EXPECT_EQ(tally.violations, GetParam() == DType::fp16 ? 1 : 0);
  count_exact(tally, GetParam(), flush_slack(GetParam()), 1, 3.0, 2.0);
  count_exact(tally, GetParam(), flush_slack(GetParam()), 2, 1e-4, 0.0);
  EXPECT_EQ(tally.violations, GetParam() == DType::fp16 ? 3 : 2) << "nothing more may vanish";
}

std::string name_of(const testing::TestParamInfo<DType> &info) {
  return info.param == DType::fp32 ? "fp32" : info.param == DType::fp16 ? "fp16" : "bf16";
}

INSTANTIATE_TEST_SUITE_P(Types, Exact, testing::Values(DType::fp32, DType::fp16, DType::bf16), name_of);

TEST(Special, LinesHaveTheValuesThatTheirPolicySays) {
  Pattern a = pattern_of(DType::fp16, Values::whole_a, 1);
  a.specials.nan = 0, a.specials.infinity = 1, a.specials.zero = 2, a.specials.subnormal = 3;
  a.specials.nan_at = 4, a.specials.infinity_at = 5;
  EXPECT_TRUE(std::isnan(pattern_value(a, 0, 4)));
  EXPECT_FALSE(std::isnan(pattern_value(a, 0, 5)));
  EXPECT_TRUE(std::isinf(pattern_value(a, 1, 5)));
  EXPECT_TRUE(std::signbit(pattern_value(a, 2, 8)));
  EXPECT_EQ(pattern_value(a, 2, 8), 0.0f);
  const float tiny = pattern_value(a, 3, 9);
  EXPECT_NE(tiny, 0.0f);
  EXPECT_LT(std::fabs(tiny), 2048 * 0x1p-24f);
  EXPECT_EQ(round_to(DType::fp16, tiny), tiny);
  EXPECT_GE(std::fabs(pattern_value(a, 4, 9)), 1.0f);
}

}  // namespace
}  // namespace pyc::harness
