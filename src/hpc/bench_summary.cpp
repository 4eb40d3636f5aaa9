#include "hpc/bench_summary.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/extension.h"
#include "hpc/gate.h"
#include "hpc/gate_timing.h"
#include "hpc/roofline.h"
#include "stats/distribution.h"
#include "stats/verdict.h"

namespace pyc::hpc {
namespace {

// Below this a null comparison of 50 pairs spreads by more than the gate's 2 %; 200 pairs bring it under.
constexpr double kShortKernelNs = 20e3;
constexpr std::size_t kSamplesForShortKernels = 200;

double flops(const evidence::Shape &shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

std::optional<SpeedRatio> ratio_of(const evidence::ShapeBenchmark &shape, const std::string &baseline,
                                   const std::string &contender) {
  const evidence::Arm *one = shape.find(baseline), *other = shape.find(contender);
  if (one == nullptr || other == nullptr) return std::nullopt;
  const auto interval = stats::paired_ratio({one->cold_ns, other->cold_ns});
  if (!interval) return std::nullopt;
  return SpeedRatio{interval->estimate, interval->low, interval->high};
}

std::optional<double> clock_ratio(const evidence::ShapeBenchmark &shape) {
  const auto one = stats::positive_mean(shape.find("incumbent")->cold_sm_clock_mhz);
  const auto other = stats::positive_mean(shape.find("candidate")->cold_sm_clock_mhz);
  return one && other ? std::optional(*one / *other) : std::nullopt;
}

std::optional<stats::Interval> to_interval(const std::optional<SpeedRatio> &ratio) {
  return ratio ? std::optional(stats::Interval{ratio->estimate, ratio->low, ratio->high}) : std::nullopt;
}

void compare(BenchRow &row, const evidence::ShapeBenchmark &shape) {
  const std::string controlled = shape.find("incumbent_control") ? "incumbent" : "candidate";
  row.control = ratio_of(shape, controlled, controlled + "_control");
  if (row.control) row.noise_floor = std::max({row.control->high - 1, 1 - row.control->low, 0.0});
  row.incumbent = ratio_of(shape, "incumbent", "candidate");
  if (!row.incumbent) return;
  const bool bimodal = heaps_of(*shape.find("candidate")) || heaps_of(*shape.find("incumbent"));
  const stats::Decision decision = stats::decide(
      {to_interval(row.incumbent), to_interval(row.control), clock_ratio(shape), bimodal}, kRequiredRatio);
  row.verdict = to_string(decision.verdict);
  for (const stats::Reason reason : decision.reasons) row.reasons.push_back(to_string(reason));
}

BenchRow summarize_shape(const evidence::ShapeBenchmark &shape, const std::string &dtype,
                         const std::optional<Roofline> &roof) {
  BenchRow row;
  row.shape = shape.shape;
  row.status = shape.status;
  row.bytes = moved_bytes(shape.shape, dtype);
  const evidence::Arm *candidate = shape.find("candidate");
  if (candidate == nullptr) return row;
  row.median_ns = evidence::cold_median_ns(*candidate);
  if (!row.median_ns || *row.median_ns <= 0) return row;
  const double rate = flops(shape.shape) / (*row.median_ns * 1e-9);
  row.tflops = rate * 1e-12;
  if (roof) row.peak_fraction = rate / roof->flops_per_second;
  if (roof && row.bytes) row.bandwidth_fraction = *row.bytes / (*row.median_ns * 1e-9) / roof->bytes_per_second;
  compare(row, shape);
  if (const evidence::Arm *vendor = shape.find("cublaslt")) {
    if (const auto median = evidence::cold_median_ns(*vendor)) row.cublaslt_ratio = *median / *row.median_ns;
  }
  return row;
}

void warn_of_few_repeats(const evidence::Benchmark &benchmark, std::vector<evidence::Warning> &warnings) {
  int short_shapes = 0;
  for (const evidence::ShapeBenchmark &shape : benchmark.shapes) {
    const evidence::Arm *candidate = shape.find("candidate");
    const auto median = candidate == nullptr ? std::nullopt : evidence::cold_median_ns(*candidate);
    if (median && *median < kShortKernelNs && candidate->cold_ns.size() < kSamplesForShortKernels) ++short_shapes;
  }
  if (short_shapes == 0) return;
  warnings.push_back({"few_repeats",
                      fmt::format("{} of {} shapes take less than {:.0f} us; {} repeats do not resolve 2 % there",
                                  short_shapes, benchmark.shapes.size(), kShortKernelNs / 1e3, benchmark.repeats),
                      fmt::format("bench again with --repeats {}", kSamplesForShortKernels / kSamplesPerRepeat)});
}

void warn_of_arms(const evidence::ShapeBenchmark &shape, std::vector<evidence::Warning> &warnings) {
  for (const evidence::Arm &arm : shape.arms) {
    if (arm.status == "unavailable") {
      warnings.push_back({"contender_unavailable",
                          fmt::format("{}: {} was not timed: {}", to_string(shape.shape), arm.role, arm.reason),
                          {}});
    }
    if (arm.retaken > static_cast<int>(arm.cold_ns.size()) / 10) {
      warnings.push_back(
          {"low_clock",
           fmt::format("{}: {} samples of {} were taken again, because the clock was low or the host late",
                       to_string(shape.shape), arm.retaken, arm.role),
           "the GPU is hot, shared or power-limited: bench again when it is idle"});
    }
  }
}

}  // namespace

std::string dtype_of(const evidence::Benchmark &benchmark) {
  const auto words = split(benchmark.header.candidate.selector, '/');
  return words.size() == 4 ? words[1] : "";
}

std::vector<BenchRow> summarize(const evidence::Benchmark &benchmark) {
  const std::string dtype = dtype_of(benchmark);
  const auto roof = benchmark.header.gpu ? roofline(dtype, *benchmark.header.gpu) : std::nullopt;
  std::vector<BenchRow> rows;
  for (const evidence::ShapeBenchmark &shape : benchmark.shapes) rows.push_back(summarize_shape(shape, dtype, roof));
  return rows;
}

std::vector<evidence::Warning> bench_warnings(const evidence::Benchmark &benchmark) {
  std::vector<evidence::Warning> warnings;
  warn_of_few_repeats(benchmark, warnings);
  for (const evidence::ShapeBenchmark &shape : benchmark.shapes) warn_of_arms(shape, warnings);
  return warnings;
}

}  // namespace pyc::hpc
