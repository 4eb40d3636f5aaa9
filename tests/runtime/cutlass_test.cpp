#include "compiler/runtime/cutlass.h"

#include <array>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace {

using namespace pyc::runtime;

const char *no_objection(const pyc_gemm_args *) { return nullptr; }
const char *too_wide(const pyc_gemm_args *args) { return args->n > 100000 ? "the grid is too wide" : nullptr; }

constexpr uint32_t kLarge = bit_of(PYC_FAMILY_SQUARE) | bit_of(PYC_FAMILY_LARGE_SQUARE);

CutlassKernel row(const char *symbol, const char *arch, pyc_dtype dtype, pyc_layout layout,
                  const char *(*objection)(const pyc_gemm_args *) = no_objection) {
  return {symbol, arch, dtype, layout, kLarge, {1, 8, 8, 16, 8}, nullptr, nullptr, objection};
}

const CutlassKernel kHalf89 = row("half89", "sm89", PYC_DTYPE_FP16, PYC_LAYOUT_NN);
const CutlassKernel kHalf90 = row("half90", "sm90", PYC_DTYPE_FP16, PYC_LAYOUT_NN);
const CutlassKernel kHalf90Nt = row("half90nt", "sm90", PYC_DTYPE_FP16, PYC_LAYOUT_NT, too_wide);
const std::array kRows = {&kHalf89, &kHalf90, &kHalf90Nt};

Problem problem(const pyc_gemm_desc &desc, int arch = 90, size_t misalign = 0) {
  char *const base = reinterpret_cast<char *>(uintptr_t(1) << 20);  // never read
  return make_problem(make_call(desc, 1.0f, base, base + misalign, 0.0f, base, nullptr), arch, false);
}

pyc_gemm_desc half(int64_t m, int64_t n, int64_t k, pyc_layout layout = PYC_LAYOUT_NN) {
  return pyc_gemm_desc_packed(PYC_DTYPE_FP16, layout, m, n, k);
}

pyc_reason reason(const pyc_gemm_desc &desc, int arch = 90, size_t misalign = 0) {
  return select_cutlass(kRows, problem(desc, arch, misalign)).objection.reason;
}

TEST(Cutlass, TheRowOfArchDtypeAndLayoutIsTaken) {
  EXPECT_EQ(select_cutlass(kRows, problem(half(1024, 1024, 1024))).kernel, &kHalf90);
  EXPECT_EQ(select_cutlass(kRows, problem(half(1024, 1024, 1024), 89)).kernel, &kHalf89);
  EXPECT_EQ(select_cutlass(kRows, problem(half(1024, 1024, 1024, PYC_LAYOUT_NT))).kernel, &kHalf90Nt);
}

TEST(Cutlass, WhatNoRowHasIsNamedInOrder) {
  EXPECT_EQ(reason(half(1024, 1024, 1024), 80), PYC_REASON_ARCH);
  EXPECT_EQ(reason(pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_NN, 1024, 1024, 1024)), PYC_REASON_DTYPE);
  EXPECT_EQ(reason(half(1024, 1024, 1024, PYC_LAYOUT_TN)), PYC_REASON_LAYOUT);
  EXPECT_EQ(reason(half(1024, 1024, 1024, PYC_LAYOUT_NT), 89), PYC_REASON_LAYOUT);
  EXPECT_EQ(select_cutlass({}, problem(half(1024, 1024, 1024))).objection.reason, PYC_REASON_BUILT_WITHOUT_CUTLASS);
}

TEST(Cutlass, AFamilyThatWouldNotFillTheTilesIsRefused) {
  const CutlassSelection wide = select_cutlass(kRows, problem(half(16, 4096, 4096)));
  EXPECT_EQ(wide.kernel, nullptr);
  EXPECT_EQ(wide.objection.reason, PYC_REASON_FAMILY);
  EXPECT_EQ(wide.objection.detail, "wide_skinny");
}

TEST(Cutlass, RequirementsRefuseWithTheObservedValue) {
  EXPECT_EQ(select_cutlass(kRows, problem(half(1024, 1028, 1024))).objection.detail, "n is 1028, not a multiple of 8");
  EXPECT_EQ(reason(half(1023, 1024, 1024)), PYC_REASON_NONE);
  pyc_gemm_desc padded = half(1024, 1024, 1024);
  padded.lda = 1026;
  EXPECT_EQ(reason(padded), PYC_REASON_LD_MULTIPLE);
  EXPECT_EQ(reason(half(1024, 1024, 1024), 90, 8), PYC_REASON_ALIGNMENT);
}

// The first matrix may be aligned and the second not.
TEST(Cutlass, AStrideThatMisalignsLaterMatricesOfABatchIsRefused) {
  pyc_gemm_desc batch = pyc_gemm_desc_batched(PYC_DTYPE_FP16, PYC_LAYOUT_NN, 2048, 2048, 2048, 3);
  EXPECT_EQ(reason(batch), PYC_REASON_NONE);
  batch.stride_b += 4;
  EXPECT_EQ(reason(batch), PYC_REASON_ALIGNMENT);
}

TEST(Cutlass, SizesBeyondItsCountersAreRefused) {
  EXPECT_EQ(reason(half(1024, 1024, kCutlassMaxSize + 1)), PYC_REASON_SIZE_LIMIT);
  pyc_gemm_desc one_row = half(1, 600, 1 << 20);
  one_row.lda = kCutlassMaxLd + 1;
  EXPECT_EQ(reason(one_row), PYC_REASON_SIZE_LIMIT);
}

TEST(Cutlass, TheKernelsOwnObjectionIsQuoted) {
  const CutlassSelection wide = select_cutlass(kRows, problem(half(1024, 131072, 1024, PYC_LAYOUT_NT)));
  EXPECT_EQ(wide.objection.reason, PYC_REASON_KERNEL_REFUSED);
  EXPECT_EQ(wide.objection.detail, "half90nt: the grid is too wide");
}

TEST(Cutlass, CompiledInRowsAreUniqueAndNamedAfterWhatTheyServe) {
  const char *const dtypes[] = {"fp32", "fp16", "bf16"}, *const layouts[] = {"nn", "nt", "tn", "tt"};
  std::set<std::string> symbols;
  for (const CutlassKernel *kernel : cutlass_kernels()) {
    EXPECT_TRUE(symbols.insert(kernel->symbol).second) << kernel->symbol;
    EXPECT_EQ(kernel->symbol,
              std::string("pyc_cutlass_") + dtypes[kernel->dtype] + "_" + layouts[kernel->layout] + "_" + kernel->arch);
    EXPECT_NE(kernel->families, 0u);
  }
}

}  // namespace
