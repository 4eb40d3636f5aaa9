#include "hpc/bench_summary.h"

#include <gtest/gtest.h>

namespace pyc::hpc {
namespace {

evidence::Arm arm(int number, const std::string &role, double time_ns) {
  evidence::Arm arm;
  arm.arm = number;
  arm.role = role;
  arm.status = "ready";
  arm.cold_ns.assign(50, time_ns);
  return arm;
}

evidence::Benchmark benchmark_of(std::vector<evidence::Arm> arms) {
  evidence::Benchmark benchmark;
  benchmark.repeats = 50;
  benchmark.header.candidate.selector = "gemm/fp32/nn/square";
  benchmark.header.gpu.emplace();
  benchmark.header.gpu->compute_capability = "9.0";
  benchmark.header.gpu->sm_count = 132;
  benchmark.header.gpu->sm_clock_max_khz = 1980000;
  benchmark.header.gpu->memory_clock_max_khz = 3201000;
  benchmark.header.gpu->memory_bus_bits = 6144;
  benchmark.shapes.push_back({});
  benchmark.shapes[0].shape = {1000, 1000, 1000};
  benchmark.shapes[0].status = "completed";
  benchmark.shapes[0].arms = std::move(arms);
  return benchmark;
}

TEST(BenchSummary, DerivesRateShareAndRatiosFromTheSamples) {
  const auto rows =
      summarize(benchmark_of({arm(0, "candidate", 100e3), arm(1, "incumbent", 150e3), arm(2, "cublaslt", 50e3)}));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(*rows[0].median_ns, 100e3);
  EXPECT_NEAR(*rows[0].tflops, 20, 1e-9);  // 2e9 flops in 100 us
  // 132 SMs x 128 lanes x 2 flops x 1.98 GHz = 66.9 TFLOP/s, as measured on an H200
  EXPECT_NEAR(*rows[0].peak_fraction, 20 / 66.9, 1e-3);
  EXPECT_NEAR(rows[0].incumbent->estimate, 1.5, 1e-9);
  EXPECT_NEAR(*rows[0].cublaslt_ratio, 0.5, 1e-9);
}

TEST(BenchSummary, LeavesOutWhatWasNotMeasured) {
  evidence::Benchmark benchmark = benchmark_of({arm(0, "candidate", 100e3)});
  benchmark.header.gpu.reset();
  benchmark.shapes[0].arms[0].cold_ns.clear();
  const auto rows = summarize(benchmark);
  EXPECT_FALSE(rows[0].median_ns);
  EXPECT_FALSE(rows[0].peak_fraction);
  EXPECT_FALSE(rows[0].incumbent);
}

TEST(BenchSummary, HalfPrecisionIsHeldAgainstTheTensorCores) {
  evidence::Benchmark benchmark = benchmark_of({arm(0, "candidate", 100e3)});
  benchmark.header.candidate.selector = "gemm/fp16/nn/square";
  const BenchRow row = summarize(benchmark)[0];
  // 132 SMs x 2048 multiply-adds x 1.98 GHz = 1070 TFLOP/s; 3 x 10^6 elements of 2 bytes
  EXPECT_NEAR(*row.peak_fraction, 20 / 1070.0, 1e-4);
  EXPECT_DOUBLE_EQ(*row.bytes, 6e6);
  EXPECT_NEAR(*row.bandwidth_fraction, 6e6 / 100e-6 / 4.917e12, 1e-4);
}

TEST(BenchSummary, SaysHowFarAKernelDiffersFromItselfAndWhatThatAllows) {
  evidence::Arm control = arm(2, "incumbent_control", 151e3);
  const BenchRow row = summarize(benchmark_of({arm(0, "candidate", 100e3), arm(1, "incumbent", 150e3), control}))[0];
  EXPECT_NEAR(*row.noise_floor, 1 - 150.0 / 151, 1e-9);
  EXPECT_EQ(row.verdict, "faster");
  EXPECT_EQ(row.reasons, std::vector<std::string>{"above_bar"});
  for (double &time_ns : control.cold_ns) time_ns = 160e3;
  EXPECT_EQ(summarize(benchmark_of({arm(0, "candidate", 100e3), arm(1, "incumbent", 150e3), control}))[0].verdict,
            "noisy");
}

TEST(BenchSummary, NamesTwoHeapsAmongTheReasons) {
  evidence::Arm candidate = arm(0, "candidate", 100e3);
  for (std::size_t i = 0; i < candidate.cold_ns.size(); ++i) candidate.cold_ns[i] += i % 4 ? 0 : 20e3;
  const BenchRow row =
      summarize(benchmark_of({candidate, arm(1, "incumbent", 150e3), arm(2, "incumbent_control", 150e3)}))[0];
  EXPECT_EQ(row.verdict, "faster");
  EXPECT_EQ(row.reasons, (std::vector<std::string>{"above_bar", "bimodal"}));
}

std::vector<std::string> codes(const evidence::Benchmark &benchmark) {
  std::vector<std::string> codes;
  for (const evidence::Warning &warning : bench_warnings(benchmark)) codes.push_back(warning.code);
  return codes;
}

TEST(BenchWarnings, AreSilentOnASoundRun) {
  EXPECT_TRUE(codes(benchmark_of({arm(0, "candidate", 100e3), arm(1, "cublaslt", 90e3)})).empty());
}

TEST(BenchWarnings, ShortKernelsAskForMoreRepeats) {
  evidence::Benchmark benchmark = benchmark_of({arm(0, "candidate", 6e3)});
  EXPECT_EQ(codes(benchmark), std::vector<std::string>{"few_repeats"});
  benchmark.shapes[0].arms[0].cold_ns.assign(200, 5e3);
  EXPECT_TRUE(codes(benchmark).empty());
}

TEST(BenchWarnings, LowClocksAndAbsentContendersAreTold) {
  evidence::Benchmark benchmark = benchmark_of({arm(0, "candidate", 100e3), arm(1, "cublaslt", 0)});
  benchmark.shapes[0].arms[0].retaken = 20;
  benchmark.shapes[0].arms[1].status = "unavailable";
  benchmark.shapes[0].arms[1].cold_ns.clear();
  EXPECT_EQ(codes(benchmark), (std::vector<std::string>{"low_clock", "contender_unavailable"}));
}

}  // namespace
}  // namespace pyc::hpc
