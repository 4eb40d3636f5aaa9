// Every rung alone, over the shapes that promotions are timed on and their odd twins.
#include <algorithm>

#include "gpu_fixture.h"

namespace {

struct Shape {
  int64_t m, n, k;
};

// The default shapes of the five families.
constexpr Shape kShapes[] = {{64, 64, 64},        {128, 128, 128},    {256, 256, 256},    {512, 512, 512},
                             {128, 256, 512},     {1024, 1024, 1024}, {512, 4096, 4096},  {1024, 1536, 7168},
                             {700, 1024, 512},    {2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192},
                             {4096, 4096, 14336}, {1, 4096, 4096},    {16, 4096, 4096},   {64, 4096, 4096},
                             {128, 4096, 4096},   {16, 28672, 4096},  {128, 8192, 4096},  {8192, 128, 4096},
                             {16384, 64, 4096},   {4096, 16, 4096},   {8457, 35, 2048}};

// Sizes that are a multiple of nothing, with rows further apart than they are long.
pyc_gemm_desc odd_twin(pyc_dtype dtype, pyc_layout layout, const Shape &shape) {
  pyc_gemm_desc desc = pyc_gemm_desc_packed(dtype, layout, shape.m + 1, shape.n - 1, shape.k + 1);
  desc.lda += 3;
  desc.ldb += 5;
  desc.ldc += 7;
  return desc;
}

class GpuRungs : public GpuTest {
 protected:
  GpuRungs() : GpuTest(largest_operand()) {}

  // Of the twins, in fp32.
  static size_t largest_operand() {
    size_t bytes = 0;
    for (const Shape &shape : kShapes) {
      for (pyc_layout layout : kLayouts) {
        const pyc::runtime::Spans spans = pyc::runtime::spans_of(odd_twin(PYC_DTYPE_FP32, layout, shape));
        bytes = std::max({bytes, spans.a_bytes, spans.b_bytes, spans.c_bytes});
      }
    }
    return bytes;
  }

  // Whether the registry has a kernel for exactly this selector and arch whose `requires` the packed shape keeps.
  const char *promoted_symbol(const pyc_gemm_desc &d) const {
    constexpr const char *kDtypeNames[] = {"fp32", "fp16", "bf16"}, *kLayoutNames[] = {"nn", "nt", "tn", "tt"};
    const std::string selector = std::string("gemm/") + kDtypeNames[d.dtype] + "/" + kLayoutNames[d.layout] + "/" +
                                 pyc_shape_family_name(pyc_gemm_shape_family(d.m, d.n, d.k));
    for (const auto &kernel : pyc::runtime::promoted_kernels()) {
      const auto &r = kernel.requirements;
      if (selector != kernel.selector || arch() != kernel.arch) continue;
      if (d.m % r.m_multiple || d.n % r.n_multiple || d.k % r.k_multiple) continue;
      if (d.lda % r.ld_multiple || d.ldb % r.ld_multiple || d.ldc % r.ld_multiple) continue;
      return kernel.symbol;
    }
    return nullptr;
  }

  // cuBLAS serves everything, cuBLASLt whatever is packed and aligned.
  static bool must_serve(pyc_rung rung, const Product &x) {
    return rung == PYC_RUNG_CUBLAS || (rung == PYC_RUNG_CUBLASLT && x.desc.ldc == x.desc.n);
  }

  // What the rung does not claim it must refuse; what it claims must be right.
  int try_rung(pyc_context *context, pyc_rung rung, const Product &x) {
    const std::string what = std::string(pyc_rung_name(rung)) + " " + describe(x.desc);
    const pyc_status status = run(context, x);
    if (status == PYC_STATUS_NO_KERNEL && !must_serve(rung, x)) return 0;
    EXPECT_EQ(status, PYC_STATUS_SUCCESS) << what << ": " << pyc_last_error_detail();
    if (status == PYC_STATUS_SUCCESS) expect_right(x, what);
    return 1;
  }

  void expect_rung_is_right(pyc_rung rung) {
    const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(rung).c_str());
    const ContextPtr context = make_context(0);
    int served = 0;
    for (pyc_dtype dtype : kDtypes) {
      arena_->fill(dtype);
      const size_t element = dtype == PYC_DTYPE_FP32 ? 4 : 2;
      for (pyc_layout layout : kLayouts) {
        for (const Shape &shape : kShapes) {
          const pyc_gemm_desc packed = pyc_gemm_desc_packed(dtype, layout, shape.m, shape.n, shape.k);
          served += try_rung(context.get(), rung, arena_->product(packed, 1.0f, 0.0f));
          served +=
              try_rung(context.get(), rung, arena_->product(odd_twin(dtype, layout, shape), -0.5f, 2.0f, element));
          if (HasFatalFailure()) return;
        }
      }
    }
    if (served == 0) GTEST_SKIP() << pyc_rung_name(rung) << " claims nothing on " << arch();
    RecordProperty("served", served);
  }
};

TEST_F(GpuRungs, PromotedKernelsAreRightOnAllThatTheyClaim) { expect_rung_is_right(PYC_RUNG_PROMOTED); }
TEST_F(GpuRungs, CutlassKernelsAreRightOnAllThatTheyClaim) { expect_rung_is_right(PYC_RUNG_CUTLASS); }
TEST_F(GpuRungs, CublasLtIsRightOnAllThatItClaims) { expect_rung_is_right(PYC_RUNG_CUBLASLT); }
TEST_F(GpuRungs, CublasIsRightOnEverything) { expect_rung_is_right(PYC_RUNG_CUBLAS); }

TEST_F(GpuRungs, APromotedKernelIsTakenForExactlyItsSelectorAndArch) {
  const ContextPtr context = make_context(0);
  const DeviceMemory memory(256);  // explaining touches no matrix
  for (pyc_dtype dtype : kDtypes) {
    for (pyc_layout layout : kLayouts) {
      for (const Shape &shape : kShapes) {
        const pyc_gemm_desc desc = pyc_gemm_desc_packed(dtype, layout, shape.m, shape.n, shape.k);
        const Product x = {desc, 1.0f, 0.0f, memory.get(), memory.get(), memory.get(), 0};
        const pyc_rung_report report = explain(context.get(), x)[PYC_RUNG_PROMOTED];
        const char *const symbol = promoted_symbol(desc);
        EXPECT_EQ(report.verdict == PYC_VERDICT_CHOSEN, symbol != nullptr) << describe(desc);
        EXPECT_EQ(std::string(report.symbol), symbol != nullptr ? symbol : "") << describe(desc);
      }
    }
  }
}

TEST_F(GpuRungs, EveryRefusalHasItsReason) {
  const ContextPtr context = make_context(0);
  arena_->fill(PYC_DTYPE_BF16);  // the bits of another type may be NaN in this one
  const Product x = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_TT, 33, 34, 35), 1.0f, 0.0f, 2);
  ASSERT_EQ(run(context.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  const Reports reports = explain(context.get(), x);
  EXPECT_EQ(reports[PYC_RUNG_CPU].reason, PYC_REASON_DEVICE_CONTEXT);
  for (const pyc_rung_report &report : reports) {
    EXPECT_EQ(report.verdict == PYC_VERDICT_REFUSED, report.reason != PYC_REASON_NONE) << pyc_rung_name(report.rung);
  }
  expect_right(x, "bf16 tt, two bytes off");
}

TEST_F(GpuRungs, AKernelForAnotherArchIsRefusedAndItsArchNamed) {
  pyc::runtime::PromotedKernel kernel = {"gemm/fp32/nn/small", "sm10", "x", "pyc_gemm_x", nullptr, nullptr,
                                         {1, 1, 1, 4, 1},      0,      "",  "",           ""};
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 8, 8, 8);
  const pyc::runtime::Call call = pyc::runtime::make_call(desc, 1, nullptr, nullptr, 0, nullptr, nullptr);
  const auto selection =
      pyc::runtime::select_promoted({&kernel, 1}, pyc::runtime::make_problem(call, device_.arch, false));
  EXPECT_EQ(selection.reason, PYC_REASON_ARCH);
  EXPECT_EQ(selection.detail, "gemm/fp32/nn/small is promoted for sm10; the device is " + arch());
}

}  // namespace
