#include "hpc/sanitize.h"

#include <gtest/gtest.h>

namespace pyc::hpc {
namespace {

ProcessResult ended(int exit_code, const std::string &output) {
  ProcessResult result;
  result.exit_code = exit_code;
  result.standard_output = output;
  return result;
}

TEST(Sanitize, ShapesKeepWhatTheKernelRequires) {
  workspace::Requires rules;
  rules.m_multiple = 3, rules.k_multiple = 16, rules.ld_multiple = 8;
  for (const evidence::Shape &shape : sanitized_shapes(rules)) {
    EXPECT_EQ(shape.m % 24, 0);
    EXPECT_EQ(shape.n % 8, 0);
    EXPECT_EQ(shape.k % 16, 0);
  }
  EXPECT_EQ(sanitized_shapes({})[0].k % 2, 1);
}

TEST(Sanitize, ACleanRunPasses) {
  const auto check = judge_sanitizer("memcheck", {1, 2, 3}, ended(0, "========= ERROR SUMMARY: 0 errors\n"));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->check, "memcheck");
  EXPECT_EQ(check->variant, "1x2x3");
  EXPECT_EQ(check->status, "passed");
}

TEST(Sanitize, AnErrorFailsWithItsFirstLine) {
  const auto check = judge_sanitizer("memcheck", {1, 2, 3},
                                     ended(99,
                                           "========= COMPUTE-SANITIZER\n"
                                           "========= Invalid __global__ read of size 4 bytes\n"
                                           "=========     at gemm+0x90\n========= ERROR SUMMARY: 1 error\n"));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->status, "failed");
  EXPECT_EQ(check->reason, "Invalid __global__ read of size 4 bytes");
}

TEST(Sanitize, AToolThatCannotLookIsNoFaultOfTheCandidate) {
  const auto check = judge_sanitizer(
      "racecheck", {1, 2, 3}, ended(255, "========= COMPUTE-SANITIZER\n========= Error: Device not supported\n"));
  ASSERT_FALSE(check);
  EXPECT_EQ(check.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(check.error().message.find("Device not supported"), std::string::npos);
}

TEST(Sanitize, AnEndWithoutASummaryIsNoPass) {
  for (const char *said : {"", "========= COMPUTE-SANITIZER\n========= Error: no CUDA program was seen\n"}) {
    const auto check = judge_sanitizer("memcheck", {1, 2, 3}, ended(0, said));
    ASSERT_FALSE(check) << said;
    EXPECT_EQ(check.error().kind, ErrorKind::kUnavailable);
  }
}

}  // namespace
}  // namespace pyc::hpc
