// Strided batches through each rung.
#include "gpu_fixture.h"

namespace {

class GpuBatch : public GpuTest {
 protected:
  GpuBatch() : GpuTest(72 << 20) {}

  // Runs the product through one rung, which must be right if it serves it. Whether it did.
  bool serves(pyc_rung rung, const Product &x) {
    const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(rung).c_str());
    const ContextPtr context = make_context(0);
    const std::string what = std::string(pyc_rung_name(rung)) + " " + describe(x.desc);
    Arena::reset_c(x);
    const pyc_status status = run(context.get(), x);
    if (status == PYC_STATUS_NO_KERNEL) return false;
    EXPECT_EQ(status, PYC_STATUS_SUCCESS) << what << ": " << pyc_last_error_detail();
    expect_right(x, what);
    return true;
  }

  // Through every rung that serves it; cuBLAS serves all.
  void expect_right_everywhere(const Product &x) {
    for (pyc_rung rung : {PYC_RUNG_PROMOTED, PYC_RUNG_CUTLASS, PYC_RUNG_CUBLASLT}) serves(rung, x);
    EXPECT_TRUE(serves(PYC_RUNG_CUBLAS, x)) << describe(x.desc) << ": " << pyc_last_error_detail();
  }
};

// Matrices one behind the other with a gap, and A shared by all.
TEST_F(GpuBatch, StridesAndABroadcastOperandAreKept) {
  for (pyc_dtype dtype : kDtypes) {
    arena_->fill(dtype);
    for (pyc_layout layout : kLayouts) {
      pyc_gemm_desc desc = pyc_gemm_desc_batched(dtype, layout, 40, 56, 72, 5);
      EXPECT_TRUE(serves(PYC_RUNG_CUBLASLT, arena_->product(desc, 1.0f, 0.0f))) << pyc_last_error_detail();
      expect_right_everywhere(arena_->product(desc, 1.0f, 0.0f));
      desc.stride_a = 0;
      desc.stride_b += 3;
      desc.stride_c += 9;
      expect_right_everywhere(arena_->product(desc, -0.5f, 2.0f, dtype == PYC_DTYPE_FP32 ? 4 : 2));
    }
  }
}

// As the heads of an attention layer lie: row after row, each with a piece of every matrix.
TEST_F(GpuBatch, MatricesWhoseRowsInterleaveAreKept) {
  for (pyc_dtype dtype : kDtypes) {
    arena_->fill(dtype);
    pyc_gemm_desc desc = pyc_gemm_desc_packed(dtype, PYC_LAYOUT_NT, 48, 32, 64);
    desc.batch_count = 6;
    desc.stride_a = 64;
    desc.lda = 6 * 64;
    desc.stride_b = 64;
    desc.ldb = 6 * 64;
    desc.stride_c = 32;
    desc.ldc = 6 * 32 + 8;
    expect_right_everywhere(arena_->product(desc, 1.0f, 0.0f));
    expect_right_everywhere(arena_->product(desc, 2.0f, -1.0f));
  }
}

TEST_F(GpuBatch, CountsAroundTheLimitOfAGridDimensionAreServedToTheLast) {
  arena_->fill(PYC_DTYPE_FP32);
  for (int64_t count : {65535, 65536, 65537}) {
    const pyc_gemm_desc desc = pyc_gemm_desc_batched(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 16, 16, 8, count);
    expect_right_everywhere(arena_->product(desc, 1.0f, 0.0f));
  }
}

TEST_F(GpuBatch, ALoopOverLargeProductsIsRight) {
  arena_->fill(PYC_DTYPE_FP32);
  const pyc_gemm_desc desc = pyc_gemm_desc_batched(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 2048, 2048, 256, 3);
  expect_right_everywhere(arena_->product(desc, 1.0f, 0.0f));
}

TEST_F(GpuBatch, QuickAnswersReachEveryMatrixAndNoGap) {
  const ContextPtr context = make_context(0);
  for (pyc_dtype dtype : kDtypes) {
    pyc_gemm_desc desc = pyc_gemm_desc_batched(dtype, PYC_LAYOUT_NN, 30, 20, 0, 1500);
    desc.stride_c += 11;
    for (float beta : {0.0f, -3.0f}) {
      const Product x = arena_->product(desc, 1.0f, beta);
      ASSERT_EQ(run(context.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
      expect_right(x, "k = 0, beta " + std::to_string(beta) + ", " + describe(desc));
    }
  }
}

}  // namespace
