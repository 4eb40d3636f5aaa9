#include "hpc/gate_timing.h"

#include <algorithm>
#include <cstdlib>

#include "stats/statistics.h"

namespace pyc::hpc {
namespace {

using evidence::Arm;
using evidence::ShapeBenchmark;

// A percentile interval need not hold the estimate; widened so that it does, it claims less, not more.
RatioInterval to_ratio(const stats::Interval &interval) {
  return {interval.estimate, std::min(interval.low, interval.estimate), std::max(interval.high, interval.estimate)};
}

std::optional<stats::PairedSamples> pairs_of(const ShapeBenchmark &shape, const std::string &baseline,
                                             const std::string &contender) {
  const Arm *numerator = shape.find(baseline), *denominator = shape.find(contender);
  if (!numerator || !denominator) return std::nullopt;
  return stats::PairedSamples{numerator->cold_ns, denominator->cold_ns};
}

std::optional<Comparison> compare(const evidence::Benchmark &benchmark, const std::string &baseline,
                                  const std::string &contender) {
  Comparison comparison;
  std::vector<stats::PairedSamples> samples;
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    auto pairs = pairs_of(shape, baseline, contender);
    const auto ratio = pairs ? stats::paired_ratio(*pairs) : std::nullopt;
    if (!ratio) return std::nullopt;
    comparison.by_shape.push_back(to_ratio(*ratio));
    samples.push_back(std::move(*pairs));
  }
  const auto overall = stats::geometric_mean_ratio(samples);
  if (!overall) return std::nullopt;
  comparison.overall = to_ratio(*overall);
  return comparison;
}

std::int64_t cold_samples(const ShapeBenchmark &shape) {
  const Arm *candidate = shape.find("candidate");
  return candidate ? static_cast<std::int64_t>(candidate->cold_ns.size()) : 0;
}

std::optional<double> median_of(const ShapeBenchmark &shape, const std::string &role) {
  const Arm *arm = shape.find(role);
  return arm ? evidence::cold_median_ns(*arm) : std::nullopt;
}

bool timed_everywhere(const evidence::Benchmark &benchmark, const workspace::Record &incumbent) {
  return std::all_of(benchmark.shapes.begin(), benchmark.shapes.end(), [&](const ShapeBenchmark &shape) {
    const Arm *arm = shape.find("incumbent");
    return arm && arm->digest == incumbent.digest;
  });
}

}  // namespace

GateTiming derive_timing(const evidence::Benchmark &benchmark, const workspace::Record *incumbent) {
  GateTiming timing;
  timing.controlled = incumbent ? "incumbent" : "candidate";
  timing.control = compare(benchmark, timing.controlled, timing.controlled + "_control");
  if (incumbent && timed_everywhere(benchmark, *incumbent))
    timing.incumbent = compare(benchmark, "incumbent", "candidate");
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    const std::int64_t pairs = cold_samples(shape);
    timing.least_pairs = timing.least_pairs == 0 ? pairs : std::min(timing.least_pairs, pairs);
  }
  return timing;
}

bool are_interleaved(const ShapeBenchmark &shape, const Arm &a, const Arm &b) {
  if (a.cold_order.size() != b.cold_order.size() || a.cold_order.size() != a.cold_ns.size()) return false;
  const auto timed =
      std::count_if(shape.arms.begin(), shape.arms.end(), [](const Arm &arm) { return !arm.cold_ns.empty(); });
  for (std::size_t i = 0; i < a.cold_order.size(); ++i)
    if (std::llabs(a.cold_order[i] - b.cold_order[i]) >= 2 * timed) return false;
  return true;
}

std::vector<workspace::ShapeEvidence> shape_evidence(const evidence::Benchmark &benchmark, const GateTiming &timing) {
  std::vector<workspace::ShapeEvidence> rows;
  for (std::size_t i = 0; i < benchmark.shapes.size(); ++i) {
    const ShapeBenchmark &shape = benchmark.shapes[i];
    workspace::ShapeEvidence row;
    row.shape = shape.shape;
    row.median_ns = median_of(shape, "candidate").value_or(0);
    row.incumbent_median_ns = median_of(shape, "incumbent");
    row.cublaslt_median_ns = median_of(shape, "cublaslt");
    if (timing.incumbent) row.ratio_to_incumbent = timing.incumbent->by_shape[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pyc::hpc
