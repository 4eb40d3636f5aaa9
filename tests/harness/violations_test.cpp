#include "violations.h"

#include <gtest/gtest.h>

namespace pyc::harness {
namespace {

pyc_gemm_args call(int64_t m, int64_t n, int64_t k) {
  pyc_gemm_args args{};
  args.struct_size = sizeof args;
  args.m = m, args.n = n, args.k = k;
  args.a = reinterpret_cast<const void *>(0x1000), args.lda = k;
  args.b = reinterpret_cast<const void *>(0x2000), args.ldb = n;
  args.c = reinterpret_cast<void *>(0x3000), args.ldc = n;
  return args;
}

TEST(Violations, AKernelThatServesEverythingHasNone) {
  EXPECT_TRUE(violations_of(Requires{}, DType::fp32, call(64, 64, 64)).empty());
  EXPECT_TRUE(violations_of(Requires{1, 1, 1, 4, 1}, DType::fp32, call(64, 64, 64)).empty());
}

TEST(Violations, EachBreaksOnePartOfRequires) {
  const Requires requires_{8, 4, 2, 16, 4};
  const auto violations = violations_of(requires_, DType::fp32, call(64, 64, 64));
  ASSERT_EQ(violations.size(), 17u);
  for (const Violation &violation : violations) {
    const pyc_gemm_args &args = violation.args;
    int broken = args.m % 8 != 0;
    broken += args.n % 4 != 0;
    broken += args.k % 2 != 0;
    for (const int64_t ld : {args.lda, args.ldb, args.ldc}) broken += ld % 4 != 0;
    for (const void *pointer : {args.a, args.b, static_cast<const void *>(args.c)}) {
      broken += reinterpret_cast<uintptr_t>(pointer) % 16 != 0;
    }
    EXPECT_EQ(broken, 1) << violation.what;
  }
}

// A kernel that asks for 8 where `requires` says 16 serves one of them.
TEST(Violations, HalfOfEachPartIsAmongThem) {
  int halves = 0;
  for (const Violation &violation : violations_of(Requires{16, 16, 16, 16, 16}, DType::bf16, call(64, 64, 64))) {
    const pyc_gemm_args &args = violation.args;
    for (const int64_t extent : {args.m, args.n, args.k, args.lda, args.ldb, args.ldc}) halves += extent % 16 == 8;
    for (const void *pointer : {args.a, args.b, static_cast<const void *>(args.c)}) {
      halves += reinterpret_cast<uintptr_t>(pointer) % 16 == 8;
    }
  }
  EXPECT_EQ(halves, 9);
}

TEST(Violations, AnExtentNeverFallsToZero) {
  for (const Violation &violation : violations_of(Requires{4, 3, 2, 4, 1}, DType::fp32, call(4, 3, 2))) {
    EXPECT_GE(violation.args.m, 1) << violation.what;
    EXPECT_GE(violation.args.n, 1) << violation.what;
    EXPECT_GE(violation.args.k, 1) << violation.what;
  }
}

TEST(Violations, AShapeThatBreaksRequiresIsTheOnlyOne) {
  const auto violations = violations_of(Requires{1, 4, 1, 16, 4}, DType::fp32, call(64, 63, 64));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].what, "n = 63 is not a multiple of 4");
  EXPECT_EQ(violations[0].args.n, 63);
}

}  // namespace
}  // namespace pyc::harness
