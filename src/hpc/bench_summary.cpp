#include "hpc/bench_summary.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "stats/statistics.h"
#include "toolchain/arch.h"

namespace pyc::hpc {
namespace {

// Below this a null comparison of 50 pairs spreads by more than the gate's 2 %; 200 pairs bring it under.
constexpr double kShortKernelNs = 20e3;
constexpr int kRepeatsForShortKernels = 200;

double flops(const evidence::Shape &shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

std::optional<double> fp32_peak(const evidence::Benchmark &benchmark) {
  const auto words = split(benchmark.header.candidate.selector, '/');  // gemm/<dtype>/<layout>/<family>
  if (!benchmark.header.gpu || words.size() != 4 || words[1] != "fp32") return std::nullopt;
  const evidence::Gpu &gpu = *benchmark.header.gpu;
  const toolchain::Arch *arch = toolchain::arch_of_compute_capability(gpu.compute_capability);
  if (arch == nullptr || gpu.sm_count <= 0 || gpu.sm_clock_max_khz <= 0) return std::nullopt;
  return toolchain::fp32_peak_flops(*arch, gpu.sm_count, gpu.sm_clock_max_khz);
}

std::optional<SpeedRatio> ratio_to_incumbent(const evidence::ShapeBenchmark &shape, const evidence::Arm &candidate) {
  const evidence::Arm *incumbent = shape.find("incumbent");
  if (incumbent == nullptr) return std::nullopt;
  const auto interval = stats::paired_ratio({incumbent->cold_ns, candidate.cold_ns});
  if (!interval) return std::nullopt;
  return SpeedRatio{interval->estimate, interval->low, interval->high};
}

BenchRow summarize_shape(const evidence::ShapeBenchmark &shape, const std::optional<double> &peak) {
  BenchRow row;
  row.shape = shape.shape;
  row.status = shape.status;
  const evidence::Arm *candidate = shape.find("candidate");
  if (candidate == nullptr) return row;
  row.median_ns = evidence::cold_median_ns(*candidate);
  if (!row.median_ns || *row.median_ns <= 0) return row;
  const double rate = flops(shape.shape) / (*row.median_ns * 1e-9);
  row.tflops = rate * 1e-12;
  if (peak) row.peak_fraction = rate / *peak;
  row.incumbent = ratio_to_incumbent(shape, *candidate);
  if (const evidence::Arm *vendor = shape.find("cublaslt")) {
    if (const auto median = evidence::cold_median_ns(*vendor)) row.cublaslt_ratio = *median / *row.median_ns;
  }
  return row;
}

void warn_of_few_repeats(const evidence::Benchmark &benchmark, std::vector<evidence::Warning> &warnings) {
  if (benchmark.repeats >= kRepeatsForShortKernels) return;
  int short_shapes = 0;
  for (const evidence::ShapeBenchmark &shape : benchmark.shapes) {
    const evidence::Arm *candidate = shape.find("candidate");
    const auto median = candidate == nullptr ? std::nullopt : evidence::cold_median_ns(*candidate);
    if (median && *median < kShortKernelNs) ++short_shapes;
  }
  if (short_shapes == 0) return;
  warnings.push_back({"few_repeats",
                      fmt::format("{} of {} shapes take less than {:.0f} us; {} repeats do not resolve 2 % there",
                                  short_shapes, benchmark.shapes.size(), kShortKernelNs / 1e3, benchmark.repeats),
                      fmt::format("bench again with --repeats {}", kRepeatsForShortKernels)});
}

void warn_of_arms(const evidence::ShapeBenchmark &shape, std::vector<evidence::Warning> &warnings) {
  for (const evidence::Arm &arm : shape.arms) {
    if (arm.status == "unavailable") {
      warnings.push_back({"contender_unavailable",
                          fmt::format("{}: {} was not timed: {}", to_string(shape.shape), arm.role, arm.reason),
                          {}});
    }
    if (arm.retaken > static_cast<int>(arm.cold_ns.size()) / 10) {
      warnings.push_back({"low_clock",
                          fmt::format("{}: {} samples of {} were taken again because the clock was low",
                                      to_string(shape.shape), arm.retaken, arm.role),
                          "the GPU is hot, shared or power-limited: bench again when it is idle"});
    }
  }
}

}  // namespace

std::vector<BenchRow> summarize(const evidence::Benchmark &benchmark) {
  const std::optional<double> peak = fp32_peak(benchmark);
  std::vector<BenchRow> rows;
  for (const evidence::ShapeBenchmark &shape : benchmark.shapes) rows.push_back(summarize_shape(shape, peak));
  return rows;
}

std::vector<evidence::Warning> bench_warnings(const evidence::Benchmark &benchmark) {
  std::vector<evidence::Warning> warnings;
  warn_of_few_repeats(benchmark, warnings);
  for (const evidence::ShapeBenchmark &shape : benchmark.shapes) warn_of_arms(shape, warnings);
  return warnings;
}

}  // namespace pyc::hpc
