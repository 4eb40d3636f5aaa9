#include <gtest/gtest.h>

#include "context_fixture.h"
#include "gemm_case.h"

namespace {

pyc_counters counters_of(const ContextPtr &context) {
  pyc_counters counters = {};
  counters.struct_size = sizeof counters;
  EXPECT_EQ(pyc_context_counters(context.get(), &counters), PYC_STATUS_SUCCESS);
  return counters;
}

TEST(Counters, TellHitsMissesQuickAnswersAndFailuresApart) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 8, 8, 8);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  x.alpha = 0.0f;
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  x.desc.m = -1;
  ASSERT_NE(x.run(context.get()), PYC_STATUS_SUCCESS);
  const pyc_counters counters = counters_of(context);
  EXPECT_EQ(counters.plan_misses, 1u);
  EXPECT_EQ(counters.plan_hits, 2u);
  EXPECT_EQ(counters.quick_answers, 1u);
  EXPECT_EQ(counters.failed, 1u);
  EXPECT_EQ(counters.served[PYC_RUNG_CPU], 3u);
  for (int32_t rung : {PYC_RUNG_PROMOTED, PYC_RUNG_CUTLASS, PYC_RUNG_CUBLASLT, PYC_RUNG_CUBLAS}) {
    EXPECT_EQ(counters.served[rung], 0u);
    EXPECT_EQ(counters.skipped[rung], 3u);
  }
  EXPECT_EQ(counters.skipped[PYC_RUNG_CPU], 0u);
}

TEST(Counters, UnknownStructSizeIsRefused) {
  const ContextPtr context = make_context();
  pyc_counters counters = {};
  EXPECT_EQ(pyc_context_counters(context.get(), &counters), PYC_STATUS_INVALID_VALUE);
  EXPECT_EQ(pyc_context_counters(nullptr, &counters), PYC_STATUS_INVALID_VALUE);
  EXPECT_EQ(pyc_context_counters(context.get(), nullptr), PYC_STATUS_INVALID_VALUE);
}

}  // namespace
