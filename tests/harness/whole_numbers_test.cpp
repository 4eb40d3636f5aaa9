#include "whole_numbers.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace pyc::harness {
namespace {

constexpr DType kTypes[] = {DType::fp32, DType::fp16, DType::bf16};
constexpr int64_t kDepths[] = {1, 2, 3, 17, 64, 1025, 4096, 65537, kLargestExactK};

// Of one element of the product: the sum, the sum of magnitudes and the largest partial sum in the order of l.
struct Sums {
  int64_t sum = 0, magnitudes = 0, peak = 0;
};

Sums sums_of(DType dtype, int64_t k, int64_t row, int64_t column) {
  const WholeNumbers whole = whole_numbers(dtype, k);
  Sums out;
  for (int64_t l = 0; l < k; ++l) {
    const int64_t term = int64_t{whole_a(whole, 7, row, l)} * whole_b(whole, 8, l, column);
    EXPECT_NE(term, 0) << l;
    out.sum += term, out.magnitudes += std::abs(term);
    out.peak = std::max(out.peak, std::abs(out.sum));
  }
  return out;
}

TEST(WholeNumbers, NoPartialSumInAnyOrderExceedsWhatFp32Holds) {
  for (const DType dtype : kTypes) {
    for (const int64_t k : kDepths) EXPECT_LT(sums_of(dtype, k, 3, 5).magnitudes, 1 << 24) << k;
  }
}

TEST(WholeNumbers, EveryValueIsANumberOfItsType) {
  for (const DType dtype : kTypes) {
    for (const int64_t k : kDepths) {
      const WholeNumbers whole = whole_numbers(dtype, k);
      for (int64_t l = 0; l < std::min<int64_t>(k, 3000); ++l) {
        const auto a = static_cast<float>(whole_a(whole, 7, 1, l)), b = static_cast<float>(whole_b(whole, 8, l, 2));
        ASSERT_EQ(round_to(dtype, a), a);
        ASSERT_EQ(round_to(dtype, b), b);
      }
    }
  }
}

TEST(WholeNumbers, PartialSumsOutgrowTheSixteenBitTypesAndEndSmall) {
  for (const DType dtype : {DType::fp16, DType::bf16}) {
    for (const int64_t k : {int64_t{64}, int64_t{4096}, kLargestExactK}) {
      const Sums sums = sums_of(dtype, k, 0, 0);
      EXPECT_GT(sums.peak, 1 << 18) << k;
      EXPECT_LE(std::abs(sums.sum), dtype == DType::fp16 ? 2048 : 256) << k;
    }
  }
}

TEST(WholeNumbers, Fp32HasFactorsThatTf32CannotHold) {
  for (const int64_t k : kDepths) {
    const WholeNumbers whole = whole_numbers(DType::fp32, k);
    int wide = 0;
    for (int64_t l = 0; l < k; ++l) {
      const int a = std::abs(whole_a(whole, 7, 0, l)), b = std::abs(whole_b(whole, 8, l, 0));
      for (const int value : {a, b}) wide += value > 4096 && value % 2 == 1;
    }
    EXPECT_GE(wide, k >= 4096 ? 300 : 1) << k;
  }
}

TEST(WholeNumbers, DependOnThePlace) {
  const WholeNumbers whole = whole_numbers(DType::bf16, 64);
  std::set<std::vector<int32_t>> rows, columns;
  for (int64_t line = 0; line < 50; ++line) {
    std::vector<int32_t> a, b;
    for (int64_t l = 0; l < 64; ++l) a.push_back(whole_a(whole, 7, line, l)), b.push_back(whole_b(whole, 8, l, line));
    rows.insert(a), columns.insert(b);
  }
  EXPECT_EQ(rows.size(), 50u);
  EXPECT_EQ(columns.size(), 50u);
}

TEST(WholeNumbers, ValuesOfCAreSmallAndNeverZero) {
  for (int64_t i = 0; i < 1000; ++i) {
    const int value = whole_c(9, i, 2 * i);
    EXPECT_NE(value, 0);
    EXPECT_LE(std::abs(value), 8);
  }
}

}  // namespace
}  // namespace pyc::harness
