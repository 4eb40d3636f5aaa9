#include "hpc/gate_timing.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "hpc/extension.h"
#include "stats/distribution.h"
#include "stats/verdict.h"

namespace pyc::hpc {
namespace {

using evidence::Arm;
using evidence::ShapeBenchmark;

// Its mean clock, where every sample has one.
std::optional<double> mean_clock_mhz(const Arm *arm) {
  if (!arm || arm->cold_sm_clock_mhz.size() != arm->cold_ns.size()) return std::nullopt;
  return stats::positive_mean(arm->cold_sm_clock_mhz);
}

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

std::optional<RatioInterval> overall_ratio(const std::vector<stats::PairedSamples> &samples, double confidence) {
  const auto ratio =
      stats::geometric_mean_ratio(samples, confidence, stats::kBootstrapSeed, stats::resamples_for(confidence));
  return ratio ? std::optional(to_ratio(*ratio)) : std::nullopt;
}

std::optional<double> clock_ratio(const evidence::Benchmark &benchmark, const std::string &baseline,
                                  const std::string &contender) {
  std::vector<double> ratios;
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    const auto numerator = mean_clock_mhz(shape.find(baseline)), denominator = mean_clock_mhz(shape.find(contender));
    if (!numerator || !denominator) return std::nullopt;
    ratios.push_back(*numerator / *denominator);
  }
  return stats::geometric_mean(ratios);
}

std::vector<stats::PairedSamples> pairs_of(const evidence::Benchmark &benchmark, const std::string &baseline,
                                           const std::string &contender) {
  std::vector<stats::PairedSamples> samples;
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    if (auto pairs = pairs_of(shape, baseline, contender)) samples.push_back(std::move(*pairs));
  }
  return samples;
}

std::optional<ArmComparison> compare(const evidence::Benchmark &benchmark, const std::string &baseline,
                                     const std::string &contender, double confidence) {
  ArmComparison comparison;
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    auto pairs = pairs_of(shape, baseline, contender);
    const auto ratio = pairs ? stats::paired_ratio(*pairs) : std::nullopt;
    if (!ratio) return std::nullopt;
    comparison.by_shape.push_back(to_ratio(*ratio));
  }
  const auto overall = overall_ratio(pairs_of(benchmark, baseline, contender), confidence);
  if (!overall) return std::nullopt;
  comparison.overall = *overall;
  comparison.clock_ratio = clock_ratio(benchmark, baseline, contender);
  return comparison;
}

constexpr double kLeastGap = 0.01;          // of the median between two heaps
constexpr double kTimerTicksNs = 3 * 32.0;  // three ticks of the event timer are no gap

std::string heaps_text(const Arm &arm) {
  const auto modes = heaps_of(arm);
  if (!modes) return {};
  return fmt::format("bimodal: {:.0f} % of its samples near {:.4g} us, {:.0f} % near {:.4g} us",
                     100 * (1 - modes->high_share), modes->low / 1e3, 100 * modes->high_share, modes->high / 1e3);
}

std::string outliers_text(const Arm &arm) {
  const stats::Outliers outliers = stats::count_outliers(arm.cold_ns);
  if (outliers.low + outliers.high == 0) return {};
  return fmt::format("outliers: {} low and {} high of {} samples, all kept", outliers.low, outliers.high,
                     arm.cold_ns.size());
}

constexpr double kLowClock = 0.75;  // of the highest: below it the harness takes a sample again, as often as it may

double highest_clock_mhz(const ShapeBenchmark &shape) {
  double highest = 0;
  for (const Arm &arm : shape.arms)
    for (const double clock_mhz : arm.cold_sm_clock_mhz) highest = std::max(highest, clock_mhz);
  return highest;
}

std::string throttled_text(const Arm &arm, double highest_mhz) {
  const auto low = std::count_if(arm.cold_sm_clock_mhz.begin(), arm.cold_sm_clock_mhz.end(),
                                 [&](double clock_mhz) { return clock_mhz < kLowClock * highest_mhz; });
  if (low == 0) return {};
  return fmt::format("throttled: {} of {} samples under {:.0f} % of the highest SM clock, {:.0f} MHz", low,
                     arm.cold_sm_clock_mhz.size(), 100 * kLowClock, highest_mhz);
}

std::int64_t cold_samples(const ShapeBenchmark &shape) {
  const Arm *candidate = shape.find("candidate");
  return candidate ? static_cast<std::int64_t>(candidate->cold_ns.size()) : 0;
}

std::optional<double> median_of(const ShapeBenchmark &shape, const std::string &role) {
  const Arm *arm = shape.find(role);
  return arm ? evidence::cold_median_ns(*arm) : std::nullopt;
}

// Whether the control is the same kernel, timed in turns with it.
bool is_controlled(const evidence::Benchmark &benchmark, const std::string &role) {
  return std::all_of(benchmark.shapes.begin(), benchmark.shapes.end(), [&](const ShapeBenchmark &shape) {
    const Arm *arm = shape.find(role), *control = shape.find(role + "_control");
    return arm && control && arm->digest == control->digest && are_interleaved(shape, *arm, *control);
  });
}

// That the passes asked for together; the harness takes more of short kernels.
std::int64_t repeats_taken(const evidence::Benchmark &benchmark) {
  std::int64_t taken = benchmark.repeats;
  for (int pass = 1; pass < benchmark.passes && taken < benchmark.max_repeats; ++pass) taken *= 2;
  return std::min(taken, std::int64_t{std::max(benchmark.repeats, benchmark.max_repeats)});
}

bool timed_everywhere(const evidence::Benchmark &benchmark, const workspace::Record &incumbent) {
  return std::all_of(benchmark.shapes.begin(), benchmark.shapes.end(), [&](const ShapeBenchmark &shape) {
    const Arm *arm = shape.find("incumbent");
    return arm && arm->digest == incumbent.digest;
  });
}

}  // namespace

std::optional<stats::Modes> heaps_of(const Arm &arm) {
  const auto middle = evidence::cold_median_ns(arm);
  return middle ? stats::find_modes(arm.cold_ns, std::max(kLeastGap * *middle, kTimerTicksNs)) : std::nullopt;
}

GateTiming derive_timing(const evidence::Benchmark &benchmark, const workspace::Record *incumbent, int attempts) {
  GateTiming timing;
  timing.attempts = attempts;
  const int looks = stats::looks_within(benchmark.repeats, benchmark.max_repeats);
  timing.confidence = stats::confidence_of(attempts, looks);
  timing.controlled = incumbent ? "incumbent" : "candidate";
  timing.repeats = repeats_taken(benchmark);
  if (is_controlled(benchmark, timing.controlled))
    timing.control = compare(benchmark, timing.controlled, timing.controlled + "_control", stats::kConfidence);
  if (incumbent && timed_everywhere(benchmark, *incumbent))
    timing.incumbent = compare(benchmark, "incumbent", "candidate", timing.confidence);
  if (timing.incumbent)
    timing.next =
        overall_ratio(pairs_of(benchmark, "incumbent", "candidate"), stats::confidence_of(attempts + 1, looks));
  std::size_t arms = 0;
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    arms = std::max(arms, shape.arms.size());
    const std::int64_t pairs = cold_samples(shape);
    timing.least_pairs = timing.least_pairs == 0 ? pairs : std::min(timing.least_pairs, pairs);
  }
  timing.most_repeats = most_repeats(benchmark.shapes.size(), arms);
  return timing;
}

std::vector<std::string> sample_remarks(const evidence::Benchmark &benchmark) {
  std::vector<std::string> remarks;
  for (const ShapeBenchmark &shape : benchmark.shapes) {
    for (const std::string role : {"candidate", "incumbent"}) {
      const Arm *arm = shape.find(role);
      if (!arm) continue;
      for (const std::string &text :
           {heaps_text(*arm), outliers_text(*arm), throttled_text(*arm, highest_clock_mhz(shape))})
        if (!text.empty()) remarks.push_back(fmt::format("{}, {}: {}", to_string(shape.shape), role, text));
    }
  }
  return remarks;
}

bool are_interleaved(const ShapeBenchmark &shape, const Arm &a, const Arm &b) {
  if (a.cold_order.size() != b.cold_order.size() || a.cold_order.size() != a.cold_ns.size()) return false;
  const auto not_later = [](std::int64_t place, std::int64_t next) { return next <= place; };
  for (const Arm *arm : {&a, &b})
    if (std::adjacent_find(arm->cold_order.begin(), arm->cold_order.end(), not_later) != arm->cold_order.end())
      return false;
  // An arm that a later pass could not time has no samples left, but took its turns in the passes before.
  const auto half_block = static_cast<std::int64_t>(shape.arms.size());
  for (std::size_t i = 0; i < a.cold_order.size(); ++i)
    if (a.cold_order[i] == b.cold_order[i] || std::llabs(a.cold_order[i] - b.cold_order[i]) >= half_block) return false;
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
