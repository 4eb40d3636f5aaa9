#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "any_case.h"
#include "context_fixture.h"
#include "gemm_case.h"

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(QuickAnswer, EmptyOutputTouchesNothingAndNeedsNoPointers) {
  const ContextPtr context = make_context();
  for (auto [m, n] : {std::pair<int64_t, int64_t>{0, 4}, {4, 0}, {0, 0}}) {
    const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, m, n, 4);
    EXPECT_EQ(pyc_gemm(context.get(), &desc, 1.0f, nullptr, nullptr, 0.0f, nullptr, nullptr), PYC_STATUS_SUCCESS)
        << pyc_last_error_detail();
  }
}

TEST(QuickAnswer, VanishingProductWithBetaZeroFillsZerosOverNan) {
  const ContextPtr context = make_context();
  for (float alpha : {0.0f, 1.0f}) {
    GemmCase x(PYC_LAYOUT_NN, 3, 4, alpha == 0.0f ? 5 : 0, 2);
    x.alpha = alpha;
    ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    for (size_t i = 0; i < x.c.size(); ++i) {
      const bool padding = int64_t(i) % x.desc.ldc >= x.desc.n;
      EXPECT_TRUE(padding ? std::isnan(x.c[i]) : x.c[i] == 0.0f) << i;
    }
  }
}

TEST(QuickAnswer, VanishingProductScalesCByBeta) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 3, 4, 0);
  x.beta = -2.0f;
  std::fill(x.c.begin(), x.c.end(), 1.5f);
  x.c[5] = kNan;
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  for (size_t i = 0; i < x.c.size(); ++i) EXPECT_TRUE(i == 5 ? std::isnan(x.c[i]) : x.c[i] == -3.0f) << i;
}

TEST(QuickAnswer, AlphaZeroReadsNeitherANorB) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 3, 4, 5);
  x.beta = 1.0f;
  std::fill(x.c.begin(), x.c.end(), 7.0f);
  EXPECT_EQ(pyc_gemm(context.get(), &x.desc, 0.0f, nullptr, nullptr, 1.0f, x.c.data(), nullptr), PYC_STATUS_SUCCESS);
  x.alpha = 0.0f;
  std::fill(x.a.begin(), x.a.end(), kNan);
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  EXPECT_TRUE(std::all_of(x.c.begin(), x.c.end(), [](float value) { return value == 7.0f; }));
}

TEST(QuickAnswer, SixteenBitZeroFillWritesEveryElement) {
  const ContextPtr context = make_context();
  for (pyc_dtype dtype : {PYC_DTYPE_FP16, PYC_DTYPE_BF16}) {
    const pyc_gemm_desc desc = pyc_gemm_desc_packed(dtype, PYC_LAYOUT_NN, 3, 5, 0);
    std::vector<uint16_t> c(15, 0x7fff);
    ASSERT_EQ(pyc_gemm(context.get(), &desc, 1.0f, nullptr, nullptr, 0.0f, c.data(), nullptr), PYC_STATUS_SUCCESS);
    EXPECT_EQ(c, std::vector<uint16_t>(15, 0));
  }
}

TEST(QuickAnswer, SixteenBitScalingRoundsOnce) {
  const ContextPtr context = make_context();
  for (pyc_dtype dtype : {PYC_DTYPE_FP16, PYC_DTYPE_BF16}) {
    AnyCase x(pyc_gemm_desc_packed(dtype, PYC_LAYOUT_NN, 9, 11, 4), 3);
    x.alpha = 0.0f;
    x.beta = 1.0f / 3.0f;
    x.fill_c();
    const Bytes before = x.c;
    ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    EXPECT_EQ(x.count_wrong(before, x.c), 0) << "dtype " << dtype;
  }
}

TEST(QuickAnswer, AnEmptyBatchTouchesNothing) {
  const ContextPtr context = make_context();
  pyc_gemm_desc desc = pyc_gemm_desc_batched(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 3, 4, 5, 0);
  EXPECT_EQ(pyc_gemm(context.get(), &desc, 1.0f, nullptr, nullptr, 0.0f, nullptr, nullptr), PYC_STATUS_SUCCESS)
      << pyc_last_error_detail();
}

TEST(QuickAnswer, EveryMatrixOfABatchIsFilledAndTheGapsAreNot) {
  const ContextPtr context = make_context();
  pyc_gemm_desc desc = pyc_gemm_desc_batched(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 2, 2, 0, 3);
  desc.stride_c = 5;
  std::vector<float> c(14, 7.0f);
  ASSERT_EQ(pyc_gemm(context.get(), &desc, 1.0f, nullptr, nullptr, 0.0f, c.data(), nullptr), PYC_STATUS_SUCCESS);
  for (size_t i = 0; i < c.size(); ++i) EXPECT_EQ(c[i], i % 5 == 4 ? 7.0f : 0.0f) << i;
}

}  // namespace
