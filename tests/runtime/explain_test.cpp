#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/runtime/chain.h"
#include "compiler/runtime/device.h"
#include "context_fixture.h"
#include "gemm_case.h"

namespace {

using Reports = std::array<pyc_rung_report, PYC_RUNG_COUNT>;

// What the context said, by pyc_rung; the reports come in the order of the chain.
Reports by_rung(const Reports &in_order) {
  Reports reports = {};
  for (const pyc_rung_report &report : in_order) reports[size_t(report.rung)] = report;
  return reports;
}

Reports explain(pyc_context *context, const GemmCase &x) {
  Reports reports = {};
  reports[0].struct_size = sizeof reports[0];
  size_t count = 0;
  EXPECT_EQ(pyc_gemm_explain(context, &x.desc, x.alpha, x.a.data(), x.b.data(), x.beta, x.c.data(), nullptr,
                             reports.data(), reports.size(), &count),
            PYC_STATUS_SUCCESS)
      << pyc_last_error_detail();
  EXPECT_EQ(count, size_t(PYC_RUNG_COUNT));
  return reports;
}

TEST(Explain, HostContextChoosesTheCpuAndSaysWhyNotTheOthers) {
  const ContextPtr context = make_context();
  const Reports reports = by_rung(explain(context.get(), GemmCase(PYC_LAYOUT_NN, 8, 8, 8)));
  const pyc_reason expected = pyc::runtime::built_with_cuda() ? PYC_REASON_HOST_CONTEXT : PYC_REASON_BUILT_WITHOUT_CUDA;
  for (int32_t rung : {PYC_RUNG_PROMOTED, PYC_RUNG_CUTLASS, PYC_RUNG_CUBLASLT, PYC_RUNG_CUBLAS}) {
    EXPECT_EQ(reports[size_t(rung)].rung, rung);
    EXPECT_EQ(reports[size_t(rung)].verdict, PYC_VERDICT_REFUSED);
    EXPECT_EQ(reports[size_t(rung)].reason, expected);
  }
  EXPECT_EQ(reports[PYC_RUNG_CPU].verdict, PYC_VERDICT_CHOSEN);
  EXPECT_EQ(reports[PYC_RUNG_CPU].reason, PYC_REASON_NONE);
  EXPECT_NE(std::string_view(reports[PYC_RUNG_CPU].symbol), "");
}

TEST(Explain, SaysTheSameBeforeAndAfterTheCall) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_TN, 8, 8, 8);
  const Reports cold = explain(context.get(), x);
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  const Reports warm = explain(context.get(), x);
  for (size_t i = 0; i < cold.size(); ++i) {
    EXPECT_EQ(cold[i].verdict, warm[i].verdict);
    EXPECT_STREQ(cold[i].symbol, warm[i].symbol);
  }
}

TEST(Explain, ReportsComeInTheOrderOfTheChain) {
  const ContextPtr context = make_context();
  const Reports reports = explain(context.get(), GemmCase(PYC_LAYOUT_NN, 8, 8, 8));
  for (size_t i = 0; i < reports.size(); ++i) EXPECT_EQ(reports[i].rung, pyc::runtime::kChainOrder[i]);
}

TEST(Explain, TouchesNoMatrix) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 8, 8, 8);
  x.fill_c();
  const std::vector<float> before = x.c;
  explain(context.get(), x);
  EXPECT_EQ(x.c, before);
}

TEST(Explain, QuickAnswersNeedNoRung) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 8, 8, 8);
  x.alpha = 0.0f;
  for (const pyc_rung_report &report : explain(context.get(), x)) {
    EXPECT_EQ(report.reason, PYC_REASON_NOT_NEEDED);
  }
}

TEST(Explain, AShortArrayIsNotOverrun) {
  const ContextPtr context = make_context();
  const GemmCase x(PYC_LAYOUT_NN, 8, 8, 8);
  std::array<pyc_rung_report, 2> reports = {};
  reports[0].struct_size = sizeof reports[0];
  reports[1].rung = 77;
  size_t count = 0;
  ASSERT_EQ(pyc_gemm_explain(context.get(), &x.desc, 1, x.a.data(), x.b.data(), 0, x.c.data(), nullptr, reports.data(),
                             1, &count),
            PYC_STATUS_SUCCESS);
  EXPECT_EQ(count, size_t(PYC_RUNG_COUNT));
  EXPECT_EQ(reports[0].rung, PYC_RUNG_PROMOTED);
  EXPECT_EQ(reports[1].rung, 77);
}

TEST(Explain, UnknownStructSizeIsRefused) {
  const ContextPtr context = make_context();
  const GemmCase x(PYC_LAYOUT_NN, 8, 8, 8);
  pyc_rung_report report = {};
  size_t count = 0;
  report.struct_size = sizeof report + 8;
  EXPECT_EQ(
      pyc_gemm_explain(context.get(), &x.desc, 1, x.a.data(), x.b.data(), 0, x.c.data(), nullptr, &report, 1, &count),
      PYC_STATUS_INVALID_VALUE);
  EXPECT_EQ(std::string_view(pyc_last_error_detail()).substr(0, 22), "reports[0].struct_size");
}

TEST(Explain, TextHasALineForEachRungAndIsCutToTheBuffer) {
  const ContextPtr context = make_context();
  const Reports reports = explain(context.get(), GemmCase(PYC_LAYOUT_NN, 8, 8, 8));
  const size_t length = pyc_explanation_text(reports.data(), reports.size(), nullptr, 0);
  std::string text(length + 1, '#');
  EXPECT_EQ(pyc_explanation_text(reports.data(), reports.size(), text.data(), text.size()), length);
  EXPECT_EQ(text[length], '\0');
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), PYC_RUNG_COUNT);
  for (int32_t i = 0; i < PYC_RUNG_COUNT; ++i) EXPECT_NE(text.find(pyc_rung_name(i)), std::string::npos);
  char small[5] = "....";
  EXPECT_EQ(pyc_explanation_text(reports.data(), reports.size(), small, 4), length);
  EXPECT_EQ(std::string_view(small, 5), std::string_view("  p\0\0", 5));
}

TEST(Explain, TextOfAReportThatNoNulEndsStaysInsideItsArrays) {
  pyc_rung_report report = {sizeof report, PYC_RUNG_CPU, PYC_VERDICT_CHOSEN, PYC_REASON_NONE, {}, {}};
  std::fill_n(report.symbol, sizeof report.symbol, 's');
  std::fill_n(report.detail, sizeof report.detail, 'd');
  std::string text(pyc_explanation_text(&report, 1, nullptr, 0), '\0');
  pyc_explanation_text(&report, 1, text.data(), text.size() + 1);
  EXPECT_EQ(std::count(text.begin(), text.end(), 's'), std::ptrdiff_t(sizeof report.symbol) + 1);  // "chosen" has one
  EXPECT_EQ(std::count(text.begin(), text.end(), 'd'), std::ptrdiff_t(sizeof report.detail));
}

}  // namespace
