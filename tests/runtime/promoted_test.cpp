#include "compiler/runtime/promoted.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace pyc::runtime;

PromotedKernel row(const char *selector, const char *arch, const char *symbol, KernelRequirements requirements) {
  return {selector, arch, symbol + 9, symbol, nullptr, nullptr, requirements, 0, "", "", ""};
}

const std::vector<PromotedKernel> kRows = {
    row("gemm/fp32/nn/small", "sm89", "pyc_gemm_a", {1, 1, 1, 4, 1}),
    row("gemm/fp32/nn/square", "sm89", "pyc_gemm_b", {1, 1, 1, 4, 1}),
    row("gemm/fp32/nn/square", "sm90", "pyc_gemm_c", {2, 4, 8, 16, 4}),
};

Problem problem(int64_t m, int64_t n, int64_t k, int arch = 90, size_t misalign = 0) {
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, m, n, k);
  char *const base = reinterpret_cast<char *>(uintptr_t(1) << 20);  // never read
  return make_problem(make_call(desc, 1.0f, base, base + misalign, 0.0f, base, nullptr), arch, false);
}

TEST(Promoted, TheRecordOfSelectorAndArchIsTaken) {
  const Selection selection = select_promoted(kRows, problem(1024, 1024, 1024));
  ASSERT_NE(selection.kernel, nullptr) << selection.detail;
  EXPECT_STREQ(selection.kernel->symbol, "pyc_gemm_c");
  EXPECT_STREQ(select_promoted(kRows, problem(1024, 1024, 1024, 89)).kernel->symbol, "pyc_gemm_b");
}

TEST(Promoted, AnotherArchIsRefusedWithTheArchsThereAre) {
  const Selection small = select_promoted(kRows, problem(64, 64, 64));
  EXPECT_EQ(small.kernel, nullptr);
  EXPECT_EQ(small.reason, PYC_REASON_ARCH);
  EXPECT_EQ(small.detail, "gemm/fp32/nn/small is promoted for sm89; the device is sm90");
  EXPECT_EQ(select_promoted(kRows, problem(1024, 1024, 1024, 100)).detail,
            "gemm/fp32/nn/square is promoted for sm89 sm90; the device is sm100");
}

TEST(Promoted, ASelectorWithoutARecordIsRefused) {
  const Selection wide = select_promoted(kRows, problem(1, 4096, 4096));
  EXPECT_EQ(wide.reason, PYC_REASON_NO_RECORD);
  EXPECT_EQ(wide.detail, "gemm/fp32/nn/wide_skinny");
  EXPECT_EQ(select_promoted({}, problem(64, 64, 64)).reason, PYC_REASON_NO_RECORD);
}

TEST(Promoted, EachRequirementRefusesWithTheObservedValue) {
  const auto reason = [](const Problem &p) { return select_promoted(kRows, p); };
  EXPECT_EQ(reason(problem(1025, 1024, 1024)).detail, "m is 1025, not a multiple of 2");
  EXPECT_EQ(reason(problem(1024, 1026, 1024)).detail, "n is 1026, not a multiple of 4");
  EXPECT_EQ(reason(problem(1024, 1024, 1028)).detail, "k is 1028, not a multiple of 8");
  EXPECT_EQ(reason(problem(1024, 1024, 1028)).reason, PYC_REASON_SIZE_MULTIPLE);
  const Selection misaligned = reason(problem(1024, 1024, 1024, 90, 8));
  EXPECT_EQ(misaligned.reason, PYC_REASON_ALIGNMENT);
  EXPECT_EQ(misaligned.detail, "alignment of b is 8, not a multiple of 16");
  Problem padded = problem(1024, 1024, 1024);
  padded.call.desc.ldc = 1025;
  EXPECT_EQ(reason(padded).reason, PYC_REASON_LD_MULTIPLE);
  EXPECT_EQ(reason(padded).detail, "ldc is 1025, not a multiple of 4");
}

TEST(Promoted, RepeatableBitsArePromisedOnlyByAKernelThatShowedThem) {
  Problem p = problem(1024, 1024, 1024);
  p.call.desc.determinism = PYC_DETERMINISM_REPEATABLE;
  EXPECT_EQ(select_promoted(kRows, p).reason, PYC_REASON_DETERMINISM);
  std::vector<PromotedKernel> rows = kRows;
  for (PromotedKernel &kernel : rows) kernel.repeatable = true;
  EXPECT_EQ(select_promoted(rows, p).kernel, &rows[2]);
}

TEST(Promoted, AForcedKernelServesOtherFamiliesButNoOtherArchDtypeOrLayout) {
  const PromotedKernel *const forced = find_promoted(kRows, "pyc_gemm_c");
  ASSERT_NE(forced, nullptr);
  EXPECT_EQ(find_promoted(kRows, "pyc_gemm_"), nullptr);
  EXPECT_EQ(admit_promoted(*forced, problem(64, 64, 64)).kernel, forced);
  EXPECT_EQ(admit_promoted(*forced, problem(64, 64, 64, 89)).reason, PYC_REASON_ARCH);
  Problem other = problem(64, 64, 64);
  other.call.desc.dtype = PYC_DTYPE_BF16;
  EXPECT_EQ(admit_promoted(*forced, other).reason, PYC_REASON_DTYPE);
  other = problem(64, 64, 64);
  other.call.desc.layout = PYC_LAYOUT_NT;
  EXPECT_EQ(admit_promoted(*forced, other).reason, PYC_REASON_LAYOUT);
}

TEST(Promoted, CompiledRowsAreSortedUniqueAndWellFormed) {
  const auto rows = promoted_kernels();
  std::set<std::string> selectors;
  for (const char *dtype : {"fp32", "fp16", "bf16"}) {
    for (const char *layout : {"nn", "nt", "tn", "tt"}) {
      for (const char *family : {"small", "square", "large_square", "tall_skinny", "wide_skinny"}) {
        selectors.insert(std::string("gemm/") + dtype + "/" + layout + "/" + family);
      }
    }
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(selectors.contains(rows[i].selector)) << rows[i].selector;
    EXPECT_EQ(rows[i].symbol, std::string("pyc_gemm_") + rows[i].name);
    EXPECT_NE(rows[i].run, nullptr);
    if (i > 0) {
      EXPECT_LT(std::pair(std::string(rows[i - 1].selector), std::string(rows[i - 1].arch)),
                std::pair(std::string(rows[i].selector), std::string(rows[i].arch)));
    }
  }
  EXPECT_EQ(rows.data()[rows.size()].selector, nullptr) << "the array ends with an empty row";
}

}  // namespace
