// Calls on a real GPU that belong to no other file: forced kernels, precision, threads.
#include <atomic>
#include <thread>

#include "gpu_fixture.h"

namespace {

class Gpu : public GpuTest {};

TEST_F(Gpu, EveryPromotedKernelOfThisArchIsRightWhenForced) {
  int tried = 0;
  for (const auto &kernel : pyc::runtime::promoted_kernels()) {
    if (arch() != kernel.arch || !std::string_view(kernel.selector).starts_with("gemm/fp32/nn/")) continue;
    const ScopedVariable forced("PYC_PROMOTED_GEMM_SYMBOL", kernel.symbol);
    const ContextPtr context = make_context(0);
    const auto &r = kernel.requirements;
    arena_->fill(PYC_DTYPE_FP32);
    pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 24 * r.m_multiple,
                                              20 * r.n_multiple * r.ld_multiple, 28 * r.k_multiple * r.ld_multiple);
    const Product x = arena_->product(desc, 1.0f, 0.0f);
    ASSERT_EQ(run(context.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    EXPECT_STREQ(chosen(context.get(), x).symbol, kernel.symbol);
    expect_right(x, kernel.symbol);
    ++tried;
  }
  if (tried == 0) GTEST_SKIP() << "no fp32 nn kernel is promoted for " << arch();
}

TEST_F(Gpu, CountersSayWhichRungServedAndWhichWereSkipped) {
  const ScopedVariable only("PYC_DISABLE_RUNGS", "promoted,cutlass,cublaslt");
  const ContextPtr context = make_context(0);
  const Product x = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 64, 64, 64), 1.0f, 0.0f);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(run(context.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  pyc_counters counters = {};
  counters.struct_size = sizeof counters;
  ASSERT_EQ(pyc_context_counters(context.get(), &counters), PYC_STATUS_SUCCESS);
  EXPECT_EQ(counters.served[PYC_RUNG_CUBLAS], 3u);
  EXPECT_EQ(counters.skipped[PYC_RUNG_CUBLASLT], 3u);
  EXPECT_EQ(counters.skipped[PYC_RUNG_CUTLASS], 3u);
  EXPECT_EQ(counters.skipped[PYC_RUNG_CPU], 0u);
  EXPECT_EQ(counters.plan_hits, 2u);
}

TEST_F(Gpu, StreamsOfManyThreadsDoNotShareAWorkspace) {
  constexpr int kThreads = 8;
  const ContextPtr context = make_context(0);
  std::array<std::thread, kThreads> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads[size_t(t)] = std::thread([&, t] {
      Arena arena(64 * 20000 * 4);
      arena.fill(PYC_DTYPE_FP32);
      const Stream stream;
      // A foreign partial sum is a wrong one: each thread has an alpha of its own.
      const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 16, 64, 20000);
      const Product x = arena.product(desc, float(t + 1), 0.0f);
      for (int i = 0; i < 10; ++i) EXPECT_EQ(run(context.get(), x, stream.get()), PYC_STATUS_SUCCESS);
      expect_right(x, "thread " + std::to_string(t));
    });
  }
  for (std::thread &thread : threads) thread.join();
}

TEST_F(Gpu, TwoContextsServeTwoThreads) {
  std::array<std::thread, 2> threads;
  for (std::thread &thread : threads) {
    thread = std::thread([] {
      const ContextPtr context = make_context(0);
      Arena arena(1 << 20);
      arena.fill(PYC_DTYPE_FP16);
      for (int64_t m = 1; m < 20; ++m) {
        const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP16, PYC_LAYOUT_TN, m, 48, 72);
        const Product x = arena.product(desc, 1.0f, 0.0f);
        EXPECT_EQ(run(context.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
        expect_right(x, describe(desc));
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
}

TEST_F(Gpu, Tf32IsUsedOnlyWhenAsked) {
  if (device_.arch < 80) GTEST_SKIP() << "no TF32 before sm80";
  arena_->fill(PYC_DTYPE_FP32);
  for (const char *others : {"promoted,cutlass,cublas", "promoted,cutlass,cublaslt"}) {
    const ScopedVariable only("PYC_DISABLE_RUNGS", others);
    const ContextPtr context = make_context(0);
    pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 256, 256, 256);
    const Product full = arena_->product(desc, 1.0f, 0.0f);
    ASSERT_EQ(run(context.get(), full), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    expect_right(full, others);
    desc.precision = PYC_PRECISION_ALLOW_TF32;
    const Product rounded = arena_->product(desc, 1.0f, 0.0f);
    ASSERT_EQ(run(context.get(), rounded), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    Findings findings = {};
    ASSERT_CUDA(check_product(rounded, &findings));
    EXPECT_GT(findings.wrong, 0u) << "TF32 rounds far beyond the fp32 bound";
    EXPECT_EQ(findings.unwritten, 0u);
  }
}

// For compute-sanitizer, which knows the size that each allocation was asked for.
TEST_F(Gpu, OperandsThatEndWithTheirAllocationAreNotOverrun) {
  for (pyc_rung rung : kDeviceRungs) {
    const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(rung).c_str());
    const ContextPtr context = make_context(0);
    for (pyc_dtype dtype : kDtypes) {
      for (pyc_layout layout : kLayouts) {
        for (int64_t size : {65, 128}) {
          const pyc_gemm_desc desc = pyc_gemm_desc_packed(dtype, layout, size, size + 8, size + 16);
          const pyc::runtime::Spans spans = pyc::runtime::spans_of(desc);
          const DeviceMemory a(spans.a_bytes), b(spans.b_bytes), c(spans.c_bytes);
          const int64_t element = pyc::runtime::dtype_bytes(dtype);
          ASSERT_CUDA(fill_uniform(dtype, a.get(), int64_t(spans.a_bytes) / element, 1));
          ASSERT_CUDA(fill_uniform(dtype, b.get(), int64_t(spans.b_bytes) / element, 2));
          const Product x = {desc, 1.0f, 0.0f, a.get(), b.get(), c.get(), 0};
          Arena::reset_c(x);
          const pyc_status status = run(context.get(), x);
          if (status == PYC_STATUS_NO_KERNEL) continue;
          ASSERT_EQ(status, PYC_STATUS_SUCCESS) << pyc_last_error_detail();
          expect_right(x, std::string(pyc_rung_name(rung)) + " " + describe(desc));
        }
      }
    }
  }
}

// The check itself must see what is wrong: a wrong element, an unwritten one, a write between the rows.
TEST_F(Gpu, TheCheckFindsWhatIsSpoilt) {
  arena_->fill(PYC_DTYPE_BF16);
  pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_NT, 50, 60, 70);
  desc.ldc += 4;
  const ContextPtr context = make_context(0);
  const Product x = arena_->product(desc, 1.0f, 0.0f);
  ASSERT_EQ(run(context.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_right(x, "before it is spoilt");
  char *const c = static_cast<char *>(const_cast<void *>(x.c));
  const uint16_t hundred = 0x42c8, nan = 0xffff;
  ASSERT_CUDA(cudaMemcpy(c + (3 * 64 + 5) * 2, &hundred, 2, cudaMemcpyHostToDevice));
  ASSERT_CUDA(cudaMemcpy(c + (4 * 64 + 6) * 2, &nan, 2, cudaMemcpyHostToDevice));
  ASSERT_CUDA(cudaMemcpy(c + (5 * 64 + 61) * 2, &hundred, 2, cudaMemcpyHostToDevice));
  Findings findings = {};
  ASSERT_CUDA(check_product(x, &findings));
  EXPECT_EQ(findings.wrong, 2u);
  EXPECT_EQ(findings.unwritten, 1u);
  EXPECT_EQ(findings.spilt, 1u);
}

}  // namespace
