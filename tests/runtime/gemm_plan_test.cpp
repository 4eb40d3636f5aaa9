#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "compiler/runtime/chain.h"
#include "context_fixture.h"
#include "gemm_case.h"

namespace {

struct PlanDeleter {
  void operator()(pyc_gemm_plan *plan) const { pyc_gemm_plan_destroy(plan); }
};
using PlanPtr = std::unique_ptr<pyc_gemm_plan, PlanDeleter>;

pyc_gemm_plan_options aligned_to(uint32_t bytes) {
  pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
  options.align_a = options.align_b = options.align_c = bytes;
  return options;
}

// A plan for pointers of any fp32 alignment, as std::vector gives them.
PlanPtr make_plan(pyc_context *context, const pyc_gemm_desc &desc) {
  const pyc_gemm_plan_options options = aligned_to(4);
  pyc_gemm_plan *plan = nullptr;
  EXPECT_EQ(pyc_gemm_plan_create(context, &desc, &options, &plan), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  return PlanPtr(plan);
}

pyc_status run(const PlanPtr &plan, GemmCase *x, void *workspace = nullptr, size_t workspace_bytes = 0) {
  return pyc_gemm_plan_run(plan.get(), x->alpha, x->a.data(), x->b.data(), x->beta, x->c.data(), workspace,
                           workspace_bytes, nullptr);
}

TEST(GemmPlan, RunsWithTheAlphaAndBetaOfEachRun) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_TN, 12, 13, 14);
  const PlanPtr plan = make_plan(context.get(), x.desc);
  for (auto [alpha, beta] : {std::pair{1.0f, 0.0f}, {-0.5f, 2.0f}, {0.0f, 0.5f}, {0.0f, 0.0f}}) {
    x.alpha = alpha;
    x.beta = beta;
    x.fill_c();
    const std::vector<float> before = x.c;
    ASSERT_EQ(run(plan, &x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    EXPECT_EQ(x.count_wrong(before, x.c), 0) << "alpha " << alpha << " beta " << beta;
  }
}

TEST(GemmPlan, KeepsItsContextAlive) {
  ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 5, 6, 7);
  const PlanPtr plan = make_plan(context.get(), x.desc);
  context.reset();
  const std::vector<float> before = x.c;
  ASSERT_EQ(run(plan, &x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(x.count_wrong(before, x.c), 0);
}

TEST(GemmPlan, CountsItsRunsInItsContext) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 5, 6, 7);
  const PlanPtr plan = make_plan(context.get(), x.desc);
  ASSERT_EQ(run(plan, &x), PYC_STATUS_SUCCESS);
  EXPECT_NE(run(plan, &x, nullptr, 1), PYC_STATUS_SUCCESS);
  pyc_counters counters = {};
  counters.struct_size = sizeof counters;
  ASSERT_EQ(pyc_context_counters(context.get(), &counters), PYC_STATUS_SUCCESS);
  EXPECT_EQ(counters.served[PYC_RUNG_CPU], 1u);
  EXPECT_EQ(counters.failed, 1u);
}

TEST(GemmPlan, AnEmptyProblemNeedsNoRungAndNoWorkspace) {
  const ScopedVariable none("PYC_DISABLE_RUNGS", "promoted,cutlass,cublaslt,cublas,cpu");
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 3, 4, 0);
  const PlanPtr plan = make_plan(context.get(), x.desc);
  size_t bytes = 77;
  ASSERT_EQ(pyc_gemm_plan_workspace(plan.get(), &bytes), PYC_STATUS_SUCCESS);
  EXPECT_EQ(bytes, 0u);
  ASSERT_EQ(run(plan, &x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(x.c[0], 0.0f);
}

TEST(GemmPlan, AProblemThatNoRungServesGetsNoPlan) {
  const ScopedVariable none("PYC_DISABLE_RUNGS", "cpu");
  const ContextPtr context = make_context();
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 3, 4, 5);
  pyc_gemm_plan *plan = reinterpret_cast<pyc_gemm_plan *>(1);
  EXPECT_EQ(pyc_gemm_plan_create(context.get(), &desc, nullptr, &plan), PYC_STATUS_NO_KERNEL);
  EXPECT_EQ(plan, nullptr);
  EXPECT_NE(std::string(pyc_last_error_detail()).find("cpu: taken out"), std::string::npos) << pyc_last_error_detail();
}

TEST(GemmPlan, APointerThatBreaksThePromiseIsNamed) {
  const ContextPtr context = make_context();
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 2, 2, 2);
  pyc_gemm_plan *made = nullptr;
  ASSERT_EQ(pyc_gemm_plan_create(context.get(), &desc, nullptr, &made), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  const PlanPtr plan(made);
  alignas(256) std::array<float, 192> memory = {};
  float *const base = memory.data();
  EXPECT_EQ(pyc_gemm_plan_run(plan.get(), 1, base, base + 64, 0, base + 128, nullptr, 0, nullptr), PYC_STATUS_SUCCESS)
      << pyc_last_error_detail();
  EXPECT_EQ(pyc_gemm_plan_run(plan.get(), 1, base, base + 32, 0, base + 128, nullptr, 0, nullptr),
            PYC_STATUS_MISALIGNED);
  const std::string detail = pyc_last_error_detail();
  EXPECT_EQ(detail.substr(0, 5), "b is ") << detail;
  EXPECT_NE(detail.find("options.align_b"), std::string::npos) << detail;
}

TEST(GemmPlan, WorkspaceMustBeGivenWholeOrNotAtAll) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 5, 6, 7);
  const PlanPtr plan = make_plan(context.get(), x.desc);
  EXPECT_EQ(run(plan, &x, nullptr, 16), PYC_STATUS_INVALID_VALUE);
  EXPECT_STREQ(pyc_last_error_detail(), "workspace is NULL, and workspace_bytes is 16");
  alignas(256) std::array<char, 512> memory = {};
  EXPECT_EQ(run(plan, &x, memory.data() + 8, 16), PYC_STATUS_MISALIGNED);
  EXPECT_EQ(std::string(pyc_last_error_detail()).substr(0, 13), "workspace is ");
  EXPECT_EQ(run(plan, &x, memory.data(), memory.size()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
}

TEST(GemmPlan, OptionsAreCheckedFieldByField) {
  const ContextPtr context = make_context();
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 2, 2, 2);
  const auto detail_of = [&](const pyc_gemm_plan_options &options) {
    pyc_gemm_plan *plan = nullptr;
    EXPECT_EQ(pyc_gemm_plan_create(context.get(), &desc, &options, &plan), PYC_STATUS_INVALID_VALUE);
    return std::string(pyc_last_error_detail());
  };
  pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
  options.struct_size += 4;
  EXPECT_EQ(detail_of(options).substr(0, 22), "options.struct_size is");
  for (uint32_t alignment : {0u, 2u, 48u, 512u}) {
    options = pyc_gemm_plan_options_default();
    options.align_b = alignment;
    EXPECT_EQ(detail_of(options),
              "options.align_b is " + std::to_string(alignment) + ": expected a power of two, 4 to 256");
  }
}

TEST(GemmPlan, NullArgumentsAreNamed) {
  const ContextPtr context = make_context();
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 2, 2, 2);
  pyc_gemm_plan *plan = nullptr;
  size_t bytes = 0;
  const auto expect_null = [](pyc_status status, const char *argument) {
    EXPECT_EQ(status, PYC_STATUS_INVALID_VALUE);
    EXPECT_EQ(std::string(pyc_last_error_detail()), std::string(argument) + " is NULL");
  };
  expect_null(pyc_gemm_plan_create(context.get(), &desc, nullptr, nullptr), "plan");
  expect_null(pyc_gemm_plan_create(nullptr, &desc, nullptr, &plan), "context");
  expect_null(pyc_gemm_plan_create(context.get(), nullptr, nullptr, &plan), "desc");
  expect_null(pyc_gemm_plan_workspace(nullptr, &bytes), "plan");
  expect_null(pyc_gemm_plan_run(nullptr, 1, nullptr, nullptr, 0, nullptr, nullptr, 0, nullptr), "plan");
  expect_null(pyc_gemm_plan_warmup(nullptr, nullptr), "plan");
  expect_null(pyc_gemm_plan_explain(nullptr, nullptr, 0, &bytes), "plan");
  expect_null(pyc_gemm_warmup(nullptr, &desc, nullptr, nullptr), "context");
  expect_null(pyc_gemm_warmup(context.get(), nullptr, nullptr, nullptr), "desc");
  const PlanPtr made = make_plan(context.get(), desc);
  expect_null(pyc_gemm_plan_workspace(made.get(), nullptr), "bytes");
  expect_null(pyc_gemm_plan_explain(made.get(), nullptr, 0, nullptr), "count");
  expect_null(pyc_gemm_plan_explain(made.get(), nullptr, 1, &bytes), "reports");
  pyc_gemm_plan_destroy(nullptr);
}

TEST(GemmPlan, ExplainsWhatTheRungsSaidWhenItWasMade) {
  const ContextPtr context = make_context();
  const PlanPtr plan = make_plan(context.get(), pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_NN, 2, 2, 2));
  std::array<pyc_rung_report, PYC_RUNG_COUNT> reports = {};
  reports[0].struct_size = sizeof reports[0];
  size_t count = 0;
  ASSERT_EQ(pyc_gemm_plan_explain(plan.get(), reports.data(), reports.size(), &count), PYC_STATUS_SUCCESS);
  ASSERT_EQ(count, reports.size());
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(reports[i].rung, pyc::runtime::kChainOrder[i]);
    EXPECT_EQ(reports[i].verdict == PYC_VERDICT_CHOSEN, reports[i].rung == PYC_RUNG_CPU);
  }
}

TEST(Warmup, MakesTheNextCallsWarm) {
  const ContextPtr context = make_context();
  alignas(256) std::array<float, 192> memory = {};
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 2, 2, 2);
  ASSERT_EQ(pyc_gemm_warmup(context.get(), &desc, nullptr, nullptr), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  const pyc_status status =
      pyc_gemm(context.get(), &desc, 1, memory.data(), memory.data() + 64, 0, memory.data() + 128, nullptr);
  ASSERT_EQ(status, PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  pyc_counters counters = {};
  counters.struct_size = sizeof counters;
  ASSERT_EQ(pyc_context_counters(context.get(), &counters), PYC_STATUS_SUCCESS);
  EXPECT_EQ(counters.plan_hits, 1u);
  EXPECT_EQ(counters.plan_misses, 0u);
}

}  // namespace
