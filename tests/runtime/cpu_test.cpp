#include <gtest/gtest.h>
#include <vector>

#include "context_fixture.h"
#include "gemm_case.h"

namespace {

struct Size {
  int64_t m, n, k;
};
constexpr Size kSizes[] = {{1, 1, 1}, {1, 17, 5}, {33, 1, 129}, {31, 65, 127}, {64, 64, 64}, {97, 130, 300}};

// Both ways of the CPU rung: a CBLAS if this machine has one, and the library's own loop.
void expect_right(int32_t determinism) {
  const ContextPtr context = make_context();
  for (pyc_layout layout : {PYC_LAYOUT_NN, PYC_LAYOUT_NT, PYC_LAYOUT_TN, PYC_LAYOUT_TT}) {
    for (const Size &size : kSizes) {
      for (int64_t pad : {0, 3}) {
        for (auto [alpha, beta] : {std::pair{1.0f, 0.0f}, {1.0f, 1.0f}, {-0.5f, 2.0f}}) {
          GemmCase x(layout, size.m, size.n, size.k, pad);
          x.desc.determinism = determinism;
          x.alpha = alpha;
          x.beta = beta;
          if (beta != 0.0f) x.fill_c();
          const std::vector<float> before = x.c;
          ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
          EXPECT_EQ(x.count_wrong(before, x.c), 0)
              << "layout " << layout << " " << size.m << "x" << size.n << "x" << size.k << " pad " << pad << " alpha "
              << alpha << " beta " << beta;
        }
      }
    }
  }
}

TEST(Cpu, MatchesADoubleReferenceInEveryLayout) { expect_right(PYC_DETERMINISM_ANY); }

TEST(Cpu, OwnLoopMatchesADoubleReferenceInEveryLayout) { expect_right(PYC_DETERMINISM_REPEATABLE); }

TEST(Cpu, RepeatableCallsGiveEqualBits) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NT, 65, 130, 257);
  x.desc.determinism = PYC_DETERMINISM_REPEATABLE;
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  const std::vector<float> first = x.c;
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  EXPECT_EQ(x.c, first);
}

TEST(Cpu, NanInAnInputReachesItsRowAndNoOther) {
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 40, 70, 130);
  x.desc.determinism = PYC_DETERMINISM_REPEATABLE;
  x.a[size_t(3 * x.desc.lda + 129)] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  for (size_t i = 0; i < x.c.size(); ++i) EXPECT_EQ(std::isnan(x.c[i]), int64_t(i) / x.desc.ldc == 3) << i;
}

TEST(Cpu, SixteenBitTypesAreRefusedWithTheReason) {
  const ContextPtr context = make_context();
  const std::vector<uint16_t> operand(16);
  std::vector<uint16_t> c(16, 1);
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_NN, 4, 4, 4);
  EXPECT_EQ(pyc_gemm(context.get(), &desc, 1.0f, operand.data(), operand.data(), 0.0f, c.data(), nullptr),
            PYC_STATUS_NO_KERNEL);
  EXPECT_NE(std::string(pyc_last_error_detail()).find("cpu: does not serve this dtype (bf16)"), std::string::npos)
      << pyc_last_error_detail();
  EXPECT_EQ(c, std::vector<uint16_t>(16, 1));
}

}  // namespace
