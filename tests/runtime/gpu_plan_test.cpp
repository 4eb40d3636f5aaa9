// Plans and their workspace on the device.
#include "compiler/runtime/gemm_plan.h"
#include "gpu_fixture.h"

namespace {

class GpuPlan : public GpuTest {
 protected:
  static pyc_status run(const pyc_gemm_plan *plan, const Product &x, void *workspace, size_t bytes,
                        cudaStream_t stream = nullptr) {
    return pyc_gemm_plan_run(plan, x.alpha, x.a, x.b, x.beta, const_cast<void *>(x.c), workspace, bytes, stream);
  }
};

// cuBLAS takes whatever workspace the options allow, so that its plan always needs some.
TEST_F(GpuPlan, AWorkspaceThatIsOneByteShortIsRefusedAndNothingRuns) {
  const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(PYC_RUNG_CUBLAS).c_str());
  const ContextPtr context = make_context(0);
  const Product x = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 100, 90, 80), 1.0f, 0.0f);
  pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
  options.max_workspace_bytes = 1 << 20;
  pyc_gemm_plan *plan = nullptr;
  ASSERT_EQ(pyc_gemm_plan_create(context.get(), &x.desc, &options, &plan), PYC_STATUS_SUCCESS)
      << pyc_last_error_detail();
  size_t bytes = 0;
  ASSERT_EQ(pyc_gemm_plan_workspace(plan, &bytes), PYC_STATUS_SUCCESS);
  ASSERT_EQ(bytes, options.max_workspace_bytes);
  const DeviceMemory workspace(bytes + 256);
  EXPECT_EQ(run(plan, x, workspace.get(), bytes - 1), PYC_STATUS_WORKSPACE_TOO_SMALL);
  EXPECT_EQ(std::string(pyc_last_error_detail()), "workspace_bytes is 1048575: the plan needs 1048576");
  EXPECT_EQ(run(plan, x, workspace.get() + 8, bytes), PYC_STATUS_MISALIGNED);
  Findings untouched = {};
  ASSERT_CUDA(check_product(x, &untouched));
  EXPECT_EQ(untouched.unwritten, uint64_t(x.desc.m * x.desc.n)) << "a refused run wrote to C";
  ASSERT_EQ(run(plan, x, workspace.get(), bytes), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_right(x, "exact workspace");
  Arena::reset_c(x);
  ASSERT_EQ(run(plan, x, nullptr, 0), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_right(x, "the context's workspace");
  pyc_gemm_plan_destroy(plan);
}

TEST_F(GpuPlan, WithoutWorkspaceARungThatNeedsNoneIsFound) {
  const ContextPtr context = make_context(0);
  const Product x = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_TT, 16, 64, 16384), 1.0f, 0.0f);
  pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
  options.max_workspace_bytes = 0;
  pyc_gemm_plan *plan = nullptr;
  ASSERT_EQ(pyc_gemm_plan_create(context.get(), &x.desc, &options, &plan), PYC_STATUS_SUCCESS)
      << pyc_last_error_detail();
  size_t bytes = 1;
  ASSERT_EQ(pyc_gemm_plan_workspace(plan, &bytes), PYC_STATUS_SUCCESS);
  EXPECT_EQ(bytes, 0u);
  ASSERT_EQ(run(plan, x, nullptr, 0), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_right(x, "no workspace");
  pyc_gemm_plan_destroy(plan);
}

// Whatever an earlier call left in the workspace must not reach a result.
TEST_F(GpuPlan, ADirtyWorkspaceChangesNothing) {
  for (pyc_rung rung : kDeviceRungs) {
    const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(rung).c_str());
    const ContextPtr context = make_context(0);
    const Product x = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 16, 64, 16384), 1.0f, 0.0f);
    pyc_gemm_plan *plan = nullptr;
    if (pyc_gemm_plan_create(context.get(), &x.desc, nullptr, &plan) == PYC_STATUS_NO_KERNEL) continue;
    const DeviceMemory workspace(PYC_WORKSPACE_BYTES);
    for (int i = 0; i < 2; ++i) {
      ASSERT_CUDA(cudaMemset(workspace.get(), 0xff, PYC_WORKSPACE_BYTES));
      Arena::reset_c(x);
      ASSERT_EQ(run(plan, x, workspace.get(), PYC_WORKSPACE_BYTES), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
      expect_right(x, std::string(pyc_rung_name(rung)) + " over a workspace full of NaN");
    }
    pyc_gemm_plan_destroy(plan);
  }
}

TEST_F(GpuPlan, APlanOutlivesItsContext) {
  ContextPtr context = make_context(0);
  const Product x = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 100, 90, 80), 1.0f, 0.0f);
  pyc_gemm_plan *plan = nullptr;
  ASSERT_EQ(pyc_gemm_plan_create(context.get(), &x.desc, nullptr, &plan), PYC_STATUS_SUCCESS)
      << pyc_last_error_detail();
  context.reset();
  ASSERT_EQ(run(plan, x, nullptr, 0), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_right(x, "after the context");
  pyc_gemm_plan_destroy(plan);
}

TEST_F(GpuPlan, RepeatableCallsGiveEqualBits) {
  const ContextPtr context = make_context(0);
  pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 33, 65, 16385);
  desc.determinism = PYC_DETERMINISM_REPEATABLE;
  const Product x = arena_->product(desc, 1.0f, 0.0f);
  std::vector<float> first(33 * 65), again(33 * 65);
  for (int i = 0; i < 20; ++i) {
    Arena::reset_c(x);
    ASSERT_EQ(::run(context.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    std::vector<float> &got = i == 0 ? first : again;
    ASSERT_CUDA(cudaMemcpy(got.data(), x.c, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    ASSERT_TRUE(i == 0 || again == first) << "call " << i;
  }
  expect_right(x, "repeatable");
}

TEST_F(GpuPlan, MeasuredAlgorithmsAreRightAndSayTheirTime) {
  const ScopedVariable measure("PYC_CUBLASLT_MEASURE", "on");
  const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(PYC_RUNG_CUBLASLT).c_str());
  const ContextPtr context = make_context(0);
  const Product x = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 16, 64, 16384), 1.0f, 2.0f);
  ASSERT_EQ(::run(context.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_right(x, "measured");
  const std::string detail = explain(context.get(), x)[PYC_RUNG_CUBLASLT].detail;
  EXPECT_NE(detail.find("fastest measured"), std::string::npos) << detail;
}

// What it was given when it ran.
class HungryPlan : public pyc::runtime::Plan {
 public:
  pyc_status run(const pyc::runtime::Call &call) const override {
    given_bytes = call.args.workspace != nullptr ? call.args.workspace_bytes : 0;
    return PYC_STATUS_SUCCESS;
  }
  size_t workspace_bytes() const override { return PYC_WORKSPACE_BYTES + 1; }
  const char *symbol() const override { return "hungry"; }

  mutable size_t given_bytes = 0;
};

TEST_F(GpuPlan, AWarmUpBringsTheWorkspaceThatTheContextDoesNotGive) {
  pyc::runtime::Context context(device_, {});
  const HungryPlan plan;
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 32, 32, 32);
  const pyc::runtime::Problem problem = pyc::runtime::promised_problem(device_, desc, pyc_gemm_plan_options_default());
  ASSERT_EQ(context.run_on_scratch(plan, problem, nullptr), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_GE(plan.given_bytes, plan.workspace_bytes());
}

TEST_F(GpuPlan, AWorkspaceInHostMemoryIsNamed) {
  if (device_.reads_pageable_memory) GTEST_SKIP() << "this device reads pageable host memory";
  const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(PYC_RUNG_CUBLAS).c_str());
  const ContextPtr context = make_context(0);
  const Product x = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 100, 90, 80), 1.0f, 0.0f);
  pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
  options.max_workspace_bytes = 1 << 20;
  pyc_gemm_plan *plan = nullptr;
  ASSERT_EQ(pyc_gemm_plan_create(context.get(), &x.desc, &options, &plan), PYC_STATUS_SUCCESS);
  std::vector<char> host((1 << 20) + 256);
  char *const aligned = host.data() + (256 - reinterpret_cast<uintptr_t>(host.data()) % 256);
  EXPECT_EQ(run(plan, x, aligned, 1 << 20), PYC_STATUS_INVALID_VALUE);
  const std::string detail = pyc_last_error_detail();
  EXPECT_EQ(detail.substr(0, detail.find(' ')), "workspace") << detail;
  ASSERT_EQ(run(plan, x, nullptr, 0), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_right(x, "after a refused run");
  pyc_gemm_plan_destroy(plan);
}

}  // namespace
