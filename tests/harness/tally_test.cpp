#include "tally.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "pattern.h"

namespace pyc::harness {
namespace {

constexpr Rule kFp32{1e-4, 1e-4};
constexpr int64_t kRows = 37, kColumns = 41, kDepth = 4096;

// A matrix with the distribution of a result: unit variance, no structure.
std::vector<double> reference() {
  const Pattern pattern{11, std::sqrt(3.0f), DType::fp32};
  std::vector<double> out;
  for (int64_t i = 0; i < kRows * kColumns; ++i) out.push_back(pattern_value(pattern, i / kColumns, i % kColumns));
  return out;
}

std::vector<float> honest(const std::vector<double> &want) { return std::vector<float>(want.begin(), want.end()); }

Tally compare(const std::vector<double> &want, const std::vector<float> &got, const Rule &rule = kFp32) {
  Tally tally;
  for (size_t i = 0; i < want.size(); ++i) count_element(tally, rule, static_cast<int64_t>(i), want[i], got[i]);
  return tally;
}

bool passes(const Tally &tally) {
  return tally.violations == 0 &&
         normwise_error(tally, 1, 0) <= normwise_bound(DType::fp32, kRows, kColumns, kDepth, 1, 0);
}

TEST(Tally, AnHonestResultPasses) {
  const Tally tally = compare(reference(), honest(reference()));
  EXPECT_TRUE(passes(tally));
  EXPECT_EQ(tally.elements, kRows * kColumns);
}

TEST(Tally, OneFlippedBitIsFoundWhereItIs) {
  for (const int bit : {14, 20, 23, 26, 30, 31}) {
    std::vector<float> got = honest(reference());
    got[777] = bits_float(float_bits(got[777]) ^ (1u << bit));
    const Tally tally = compare(reference(), got);
    EXPECT_FALSE(passes(tally)) << bit;
    EXPECT_EQ(tally.violations, 1) << bit;
    EXPECT_EQ(tally.first, 777) << bit;
    EXPECT_EQ(tally.first_got, static_cast<double>(got[777])) << bit;
  }
}

TEST(Tally, ASwappedPairIsFound) {
  std::vector<float> got = honest(reference());
  std::swap(got[100], got[1000]);
  const Tally tally = compare(reference(), got);
  EXPECT_EQ(tally.violations, 2);
  EXPECT_EQ(tally.first, 100);
}

TEST(Tally, NanNeverPasses) {
  std::vector<float> got = honest(reference());
  got[5] = std::numeric_limits<float>::quiet_NaN();
  const Tally tally = compare(reference(), got, {1e30, 1e30});
  EXPECT_EQ(tally.violations, 1);
  EXPECT_TRUE(std::isnan(tally.max_abs_error));
  EXPECT_FALSE(normwise_error(tally, 1, 0) <= 1e30);
}

TEST(Tally, InfinityNeverPassesForANumber) {
  std::vector<float> got = honest(reference());
  got[5] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(compare(reference(), got, {std::numeric_limits<double>::infinity(), 1}).violations, 1);
}

TEST(Tally, AnExpectedInfinityIsMetByTheSameInfinityOnly) {
  const double infinity = std::numeric_limits<double>::infinity();
  Tally tally;
  count_element(tally, kFp32, 0, infinity, infinity);
  EXPECT_EQ(tally.violations, 0);
  count_element(tally, kFp32, 1, infinity, -infinity);
  count_element(tally, kFp32, 2, infinity, 1e38);
  EXPECT_EQ(tally.violations, 2);
}

TEST(Tally, AShiftedRowIsFound) {
  std::vector<float> got = honest(reference());
  for (int64_t column = kColumns - 1; column > 0; --column) {
    got[static_cast<size_t>(7 * kColumns + column)] = got[static_cast<size_t>(7 * kColumns + column - 1)];
  }
  const Tally tally = compare(reference(), got);
  EXPECT_GT(tally.violations, kColumns - 3);
  EXPECT_EQ(tally.first / kColumns, 7);
}

TEST(Tally, AllZerosAreFound) {
  EXPECT_FALSE(passes(compare(reference(), std::vector<float>(static_cast<size_t>(kRows * kColumns)))));
}

TEST(Tally, TheNormwiseBoundFindsWhatTheElementRuleForgives) {
  std::vector<float> got = honest(reference());
  for (float &value : got) value += 2e-5f;
  const Tally tally = compare(reference(), got);
  EXPECT_EQ(tally.violations, 0);
  EXPECT_FALSE(passes(tally));
}

TEST(Tally, MergingPartsGivesTheWhole) {
  const std::vector<double> want = reference();
  std::vector<float> got = honest(want);
  got[3] += 1.0f, got[900] = std::numeric_limits<float>::quiet_NaN(), got[901] += 2.0f;
  const Tally whole = compare(want, got);
  Tally merged;
  for (const size_t part : {2u, 0u, 1u}) {
    Tally tally;
    for (size_t i = part; i < want.size(); i += 3)
      count_element(tally, kFp32, static_cast<int64_t>(i), want[i], got[i]);
    merge(merged, tally);
  }
  EXPECT_EQ(merged.elements, whole.elements);
  EXPECT_EQ(merged.violations, 3);
  EXPECT_EQ(merged.first, 3);
  EXPECT_TRUE(std::isnan(merged.max_abs_error));
  EXPECT_EQ(merged.first_got, whole.first_got);
}

TEST(NormwiseBound, AdmitsSgemmAndRefusesTf32AndThreeBf16Planes) {
  const double bound = normwise_bound(DType::fp32, 4096, 4096, 4096, 1, 0);
  EXPECT_GT(bound, 2 * 1.15e-6);
  EXPECT_LT(bound, 5.8e-6);
  EXPECT_LT(bound, 2.8e-4);
}

TEST(NormwiseBound, RefusesSixBf16PlanesInOneLongChain) {
  EXPECT_LT(normwise_bound(DType::fp32, 4096, 4096, 4096, 1, 0), 4.0e-6);
  EXPECT_LT(normwise_bound(DType::fp32, 8192, 8192, 8192, 1, 0), 8.6e-6);
}

TEST(NormwiseBound, IsTwiceASequentialFp32Sum) {
  constexpr int64_t kLength = 4096, kSums = 400;
  const Pattern a{1, std::sqrt(3.0f), DType::fp32}, b{2, std::sqrt(3.0f / kLength), DType::fp32};
  double squares = 0;
  for (int64_t i = 0; i < kSums; ++i) {
    float sum = 0;
    double exact = 0;
    for (int64_t l = 0; l < kLength; ++l) {
      const float x = pattern_value(a, i, l), y = pattern_value(b, i, l);
      sum = std::fma(x, y, sum), exact += double{x} * y;
    }
    squares += (sum - exact) * (sum - exact);
  }
  const double ratio = normwise_bound(DType::fp32, 4096, 4096, kLength, 1, 0) / std::sqrt(squares / kSums);
  EXPECT_GT(ratio, 1.7);
  EXPECT_LT(ratio, 2.5);
}

// Six products of bf16 planes for one of fp32, added up before they meet the sum.
float product_of_planes(float a, float b) {
  const auto plane = [](float x) { return bf16_value(bf16_bits(x)); };
  const float a0 = plane(a), a1 = plane(a - a0), a2 = plane(a - a0 - a1);
  const float b0 = plane(b), b1 = plane(b - b0), b2 = plane(b - b0 - b1);
  const float least = std::fma(a0, b2, std::fma(a1, b1, a2 * b0));
  return std::fma(a0, b0, std::fma(a0, b1, std::fma(a1, b0, least)));
}

TEST(NormwiseBound, AdmitsPlanesWhoseProductsMeetBeforeTheSum) {
  constexpr int64_t kLength = 1023, kSums = 1000;
  const Pattern a{1, std::sqrt(3.0f), DType::fp32}, b{2, std::sqrt(3.0f / kLength), DType::fp32};
  Tally tally;
  for (int64_t i = 0; i < kSums; ++i) {
    float sum = 0;
    double exact = 0;
    for (int64_t l = 0; l < kLength; ++l) {
      const float x = pattern_value(a, i, l), y = pattern_value(b, i, l);
      sum += product_of_planes(x, y), exact += double{x} * y;
    }
    count_element(tally, kFp32, i, exact, sum);
  }
  EXPECT_LT(normwise_error(tally, 1, 0), 0.7 * normwise_bound(DType::fp32, 4096, 4096, kLength, 1, 0));
}

TEST(NormwiseBound, AdmitsRoundingOfTheOutputAndRefusesItTwice) {
  for (const DType dtype : {DType::fp16, DType::bf16}) {
    const double bound = normwise_bound(dtype, 4096, 4096, 4096, 1, 0), once = 0.425 * unit_roundoff(dtype);
    EXPECT_GT(bound, 1.1 * once);
    EXPECT_LT(bound, std::sqrt(2.0) * once);
    EXPECT_LT(bound, 1.0 / std::sqrt(4096.0));
  }
}

// What a kernel leaves that sums exactly and rounds to its type once or twice, over the bound.
enum class Rounds { once, before_c, before_alpha };

double share_of_bound(DType dtype, Rounds rounds, float alpha, float beta) {
  constexpr int64_t kElements = 200'000;
  const Pattern parts{3, std::sqrt(3.0f), DType::fp32}, c{4, std::sqrt(3.0f), dtype};
  Tally tally;
  for (int64_t i = 0; i < kElements; ++i) {
    float product = 0;
    for (int64_t l = 0; l < 16; ++l) product += pattern_value(parts, i, l) / 4;
    const float old = pattern_value(c, i, 0);
    const double want = double{alpha} * product + double{beta} * old;
    float scaled = alpha * (rounds == Rounds::before_alpha ? round_to(dtype, product) : product);
    if (rounds == Rounds::before_c) scaled = round_to(dtype, scaled);
    count_element(tally, {1, 1}, i, want, round_to(dtype, beta == 0 ? scaled : scaled + beta * old));
  }
  return normwise_error(tally, alpha, beta) / normwise_bound(dtype, 1000, 1000, 16, alpha, beta);
}

TEST(NormwiseBound, AdmitsRoundingTheProductBeforeCIsAdded) {
  for (const DType dtype : {DType::fp16, DType::bf16}) {
    EXPECT_LT(share_of_bound(dtype, Rounds::before_c, 1, 1), 0.95);
    EXPECT_GT(share_of_bound(dtype, Rounds::before_c, 1, 1) * std::sqrt(1.5), 1.05);  // not as a single rounding
    EXPECT_LT(share_of_bound(dtype, Rounds::before_c, 1.5f, -0.75f), 0.9);
    EXPECT_LT(share_of_bound(dtype, Rounds::before_c, 0.7853982f, 2), 0.95);
  }
}

TEST(NormwiseBound, RefusesRoundingTheProductBeforeAlpha) {
  for (const DType dtype : {DType::fp16, DType::bf16}) {
    EXPECT_LT(share_of_bound(dtype, Rounds::once, -0.7853982f, 0), 0.9);
    EXPECT_GT(share_of_bound(dtype, Rounds::before_alpha, -0.7853982f, 0), 1.1);
  }
}

}  // namespace
}  // namespace pyc::harness
