#include <gtest/gtest.h>

#include "hpc/verbs.h"
#include "tests/hpc/evidence_fixture.h"

namespace pyc::hpc {
namespace {

// Two runs of one candidate on the same GPU; a test changes the right one.
class Compare : public testing::Test {
 protected:
  // Makes the right run take `factor` times as long, at every shape or at the first one alone.
  void slow_down(double factor, bool first_only = false) {
    for (evidence::ShapeBenchmark &shape : right_.shapes) {
      for (evidence::Arm &arm : shape.arms)
        for (double &time : arm.cold_ns) time *= factor;
      if (first_only) return;
    }
  }
  BenchmarkComparison compare_now() const { return compare_benchmarks(left_, right_); }
  bool differs_in(const std::string &what) const {
    for (const Difference &difference : compare_now().differences)
      if (difference.what == what) return true;
    return false;
  }

  test::ScratchWorkspace scratch_;
  evidence::Benchmark left_ = test::good_benchmark(scratch_.add_candidate("x"), nullptr), right_ = left_;
};

TEST_F(Compare, ARunIsTheSameAsItself) {
  const BenchmarkComparison comparison = compare_now();
  EXPECT_EQ(comparison.verdict, "same");
  EXPECT_EQ(comparison.ratio->estimate, 1.0);
  EXPECT_EQ(comparison.shapes.size(), left_.shapes.size());
  EXPECT_TRUE(comparison.differences.empty());
}

TEST_F(Compare, TellsFasterFromSlower) {
  slow_down(0.8);
  EXPECT_EQ(compare_now().verdict, "faster");
  EXPECT_NEAR(compare_now().ratio->estimate, 1.25, 0.01);
  slow_down(1.5);
  EXPECT_EQ(compare_now().verdict, "slower");
  EXPECT_TRUE(compare_now().slower());
}

TEST_F(Compare, OneShapeThatLosesMuchMakesItSlower) {
  slow_down(0.7);
  slow_down(1.2 / 0.7, true);
  const BenchmarkComparison comparison = compare_now();
  EXPECT_EQ(comparison.shapes[0].verdict, "slower");
  EXPECT_EQ(comparison.shapes[1].verdict, "faster");
  EXPECT_EQ(comparison.verdict, "slower");
}

TEST_F(Compare, AnotherGpuIsShownAndNeverCalledFaster) {
  slow_down(0.5);
  right_.header.gpu->name = "NVIDIA H100";
  const BenchmarkComparison comparison = compare_now();
  EXPECT_EQ(comparison.verdict, "not_comparable");
  EXPECT_NEAR(comparison.ratio->estimate, 2.0, 0.02);
  for (const ComparedShape &row : comparison.shapes) EXPECT_EQ(row.verdict, "not_comparable");
  EXPECT_TRUE(differs_in("GPU"));
}

TEST_F(Compare, AnotherCardOfTheSameModelIsAnotherGpu) {
  slow_down(0.5);
  right_.header.gpu->uuid = "GPU-other";
  EXPECT_EQ(compare_now().verdict, "not_comparable");
}

TEST_F(Compare, AnotherDtypeIsAnotherProblem) {
  slow_down(0.5);
  right_.header.candidate.selector = "gemm/bf16/nn/square";
  EXPECT_EQ(compare_now().verdict, "not_comparable");
}

TEST_F(Compare, ARunWithoutANullControlIsNoisy) {
  slow_down(0.5);
  for (evidence::ShapeBenchmark &shape : right_.shapes)
    std::erase_if(shape.arms, [](const evidence::Arm &arm) { return arm.role == "candidate_control"; });
  EXPECT_EQ(compare_now().verdict, "noisy");
}

TEST_F(Compare, AFewSamplesCarryNoInterval) {
  slow_down(0.5);
  for (evidence::ShapeBenchmark &shape : right_.shapes)
    for (evidence::Arm &arm : shape.arms) arm.cold_ns.resize(5);
  const BenchmarkComparison comparison = compare_now();
  EXPECT_EQ(comparison.verdict, "noisy");
  EXPECT_FALSE(comparison.ratio);
  EXPECT_TRUE(comparison.shapes[0].right_ns);
}

TEST_F(Compare, SaysWhatDiffers) {
  right_.header.gpu->driver = "575.1";
  right_.header.gpu->power_limit_w = 500;
  right_.header.toolchain.nvcc_version = "12.4.1";
  right_.header.toolchain.flags = {"-O2"};
  for (evidence::ShapeBenchmark &shape : right_.shapes)
    for (evidence::Arm &arm : shape.arms) arm.cold_sm_clock_mhz.assign(arm.cold_ns.size(), 1500);
  for (const char *what : {"driver", "power limit", "nvcc", "flags", "SM clock while timed"})
    EXPECT_TRUE(differs_in(what)) << what;
  EXPECT_FALSE(differs_in("GPU"));
}

TEST_F(Compare, LeavesOutWhatOnlyOneTimedSoundly) {
  right_.shapes[0].status = "failed";
  right_.shapes.back().shape = {7, 7, 7};
  const BenchmarkComparison comparison = compare_now();
  EXPECT_EQ(comparison.shapes.size(), left_.shapes.size() - 2);
  EXPECT_EQ(comparison.left_out.size(), 3u);
}

TEST_F(Compare, RefusesFilesWithoutACommonShape) {
  right_.shapes.clear();
  const auto result = compare(scratch_.context(), {scratch_.write(left_), scratch_.write(right_)});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kInvalid);
}

TEST_F(Compare, APlannedBenchmarkIsRefusedAsOne) {
  right_.header.status = evidence::DocumentStatus::kPlanned;
  const auto result = compare(scratch_.context(), {scratch_.write(left_), scratch_.write(right_)});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("is a planned benchmark: nothing was timed"), std::string::npos)
      << result.error().message;
}

}  // namespace
}  // namespace pyc::hpc
