#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

#include "any_case.h"
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

// Sizes that leave remainders in the tiles of both ways, and one that needs several of each.
void expect_right_in_sixteen_bits(const char *cblas) {
  const ScopedVariable library("PYC_CBLAS", cblas);
  const ContextPtr context = make_context();
  for (pyc_dtype dtype : {PYC_DTYPE_FP16, PYC_DTYPE_BF16}) {
    for (pyc_layout layout : {PYC_LAYOUT_NN, PYC_LAYOUT_NT, PYC_LAYOUT_TN, PYC_LAYOUT_TT}) {
      for (const Size &size : {Size{33, 65, 129}, {5, 520, 3}, {515, 7, 514}}) {
        AnyCase x(pyc_gemm_desc_packed(dtype, layout, size.m, size.n, size.k), 7);
        x.alpha = -0.5f;
        x.beta = 2.0f;
        x.fill_c();
        const Bytes before = x.c;
        ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
        EXPECT_EQ(x.count_wrong(before, x.c), 0) << "dtype " << dtype << " layout " << layout << " m " << size.m;
      }
    }
  }
}

TEST(Cpu, SixteenBitTypesAreSummedInFp32ByACblas) { expect_right_in_sixteen_bits(""); }
TEST(Cpu, SixteenBitTypesAreSummedInFp32ByTheOwnLoops) { expect_right_in_sixteen_bits("none"); }

TEST(Cpu, Fp16OverflowsOnlyWhenTheResultIsRounded) {
  const ContextPtr context = make_context();
  const int64_t k = 8192;
  const std::vector<uint16_t> fours(size_t(k), 0x4400);  // 4 * 4 * 8192 is 131072, beyond the 65504 of fp16
  uint16_t c = 0;
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP16, PYC_LAYOUT_NN, 1, 1, k);
  ASSERT_EQ(pyc_gemm(context.get(), &desc, 0.25f, fours.data(), fours.data(), 0.0f, &c, nullptr), PYC_STATUS_SUCCESS);
  EXPECT_EQ(c, 0x7800);  // 32768
  ASSERT_EQ(pyc_gemm(context.get(), &desc, 1.0f, fours.data(), fours.data(), 0.0f, &c, nullptr), PYC_STATUS_SUCCESS);
  EXPECT_EQ(c, 0x7c00);  // infinity
}

// Rows of C so far apart that a library which counts in 32 bits would write elsewhere.
TEST(Cpu, RowsThatAreFarApartAreWrittenWhereTheyAre) {
  const int64_t rows = 8, columns = 3, ld = 560'000'000, bytes = rows * ld * int64_t(sizeof(float));
  void *const memory =
      mmap(nullptr, size_t(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no " << bytes << " bytes of address space";
  auto *const c = static_cast<float *>(memory);
  const ContextPtr context = make_context();
  pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_TN, rows, columns, 5);
  desc.ldc = ld;
  const std::vector<float> a(size_t(rows) * 5, 2.0f), b(size_t(columns) * 5, 3.0f);
  EXPECT_EQ(pyc_gemm(context.get(), &desc, 1.0f, a.data(), b.data(), 0.0f, c, nullptr), PYC_STATUS_SUCCESS);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) EXPECT_EQ(c[i * ld + j], 30.0f) << i << ", " << j;
  }
  munmap(memory, size_t(bytes));
}

TEST(Cpu, ALibraryThatCannotBeOpenedRefusesAndIsNamed) {
  const ScopedVariable library("PYC_CBLAS", "libno_such_blas.so");
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 4, 4, 4);
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_NO_KERNEL);
  const std::string detail = pyc_last_error_detail();
  EXPECT_NE(detail.find("cpu: the library cannot be opened"), std::string::npos) << detail;
  EXPECT_NE(detail.find("libno_such_blas.so"), std::string::npos) << detail;
}

TEST(Cpu, ALibraryWithoutTheFunctionRefusesAndNamesIt) {
  const ScopedVariable library("PYC_CBLAS", "libc.so.6");
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 4, 4, 4);
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_NO_KERNEL);
  EXPECT_NE(std::string(pyc_last_error_detail()).find("libc.so.6 has no cblas_sgemm"), std::string::npos)
      << pyc_last_error_detail();
}

TEST(Cpu, ALibraryThatGivesAWrongProductRefusesAndNamesIt) {
  const ScopedVariable library("PYC_CBLAS", PYC_WRONG_CBLAS);
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 4, 4, 4);
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_NO_KERNEL);
  EXPECT_NE(std::string(pyc_last_error_detail()).find(PYC_WRONG_CBLAS " gives a wrong product"), std::string::npos)
      << pyc_last_error_detail();
}

}  // namespace
