// Two benchmarks, shape by shape.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "hpc/comparison.h"
#include "hpc/gate.h"
#include "stats/distribution.h"
#include "stats/verdict.h"

namespace pyc::hpc {
namespace {

using evidence::Arm;
using evidence::Benchmark;
using evidence::ShapeBenchmark;

constexpr const char *kNotComparable = "not_comparable";

// A shape that both runs timed soundly.
struct Pair {
  const ShapeBenchmark *left, *right;
  stats::UnpairedSamples samples;
};

const ShapeBenchmark *find_shape(const Benchmark &benchmark, const evidence::Shape &shape) {
  const auto found =
      std::find_if(benchmark.shapes.begin(), benchmark.shapes.end(), [&](const auto &b) { return b.shape == shape; });
  return found == benchmark.shapes.end() ? nullptr : &*found;
}

// Empty, or why its time at this shape counts for nothing.
std::string unsound(const ShapeBenchmark *shape, const char *side) {
  if (shape == nullptr) return fmt::format("not in the {} one", side);
  if (shape->status != "completed") return fmt::format("{} in the {} one", shape->status, side);
  const Arm *arm = shape->find("candidate");
  if (arm == nullptr || !stats::positive_mean(arm->cold_ns)) return fmt::format("no sound samples in the {} one", side);
  return {};
}

std::vector<Pair> pair_up(const Benchmark &left, const Benchmark &right, std::vector<std::string> &left_out) {
  std::vector<Pair> pairs;
  for (const ShapeBenchmark &shape : left.shapes) {
    const ShapeBenchmark *other = find_shape(right, shape.shape);
    std::string reason = unsound(&shape, "left");
    if (reason.empty()) reason = unsound(other, "right");
    if (reason.empty()) {
      pairs.push_back({&shape, other, {shape.find("candidate")->cold_ns, other->find("candidate")->cold_ns}});
    } else {
      left_out.push_back(to_string(shape.shape) + ": " + reason);
    }
  }
  for (const ShapeBenchmark &shape : right.shapes)
    if (find_shape(left, shape.shape) == nullptr) left_out.push_back(to_string(shape.shape) + ": not in the left one");
  return pairs;
}

// Of a kernel against itself within one run: the incumbent, or else the candidate.
std::optional<stats::PairedSamples> control_of(const ShapeBenchmark &shape) {
  const std::string controlled = shape.find("incumbent_control") ? "incumbent" : "candidate";
  const Arm *one = shape.find(controlled), *other = shape.find(controlled + "_control");
  if (one == nullptr || other == nullptr) return std::nullopt;
  return stats::PairedSamples{one->cold_ns, other->cold_ns};
}

std::optional<stats::Interval> control_over(const std::vector<Pair> &pairs, const ShapeBenchmark *Pair::*side) {
  std::vector<stats::PairedSamples> controls;
  for (const Pair &pair : pairs) {
    auto control = control_of(*(pair.*side));
    if (!control) return std::nullopt;
    controls.push_back(std::move(*control));
  }
  return stats::geometric_mean_ratio(controls);
}

double reach(const stats::Interval &control) { return std::max(control.high - 1, 1 - control.low); }

// The control of the noisier run; none if either has none.
std::optional<stats::Interval> worse_control(const std::vector<Pair> &pairs) {
  const auto left = control_over(pairs, &Pair::left), right = control_over(pairs, &Pair::right);
  if (!left || !right) return std::nullopt;
  return reach(*left) > reach(*right) ? left : right;
}

std::optional<double> clock_ratio(const std::vector<Pair> &pairs) {
  std::vector<double> ratios;
  for (const Pair &pair : pairs) {
    const auto left = stats::positive_mean(pair.left->find("candidate")->cold_sm_clock_mhz);
    const auto right = stats::positive_mean(pair.right->find("candidate")->cold_sm_clock_mhz);
    if (!left || !right) return std::nullopt;
    ratios.push_back(*left / *right);
  }
  return stats::geometric_mean(ratios);
}

bool carries_an_interval(const Pair &pair) {
  return std::min(pair.samples.numerator.size(), pair.samples.denominator.size()) >= std::size_t{kLeastPairs};
}

// No value where a shape has too few samples: the interval would be narrow because nothing was seen.
std::optional<stats::Interval> ratio_over(const std::vector<Pair> &pairs) {
  if (!std::all_of(pairs.begin(), pairs.end(), carries_an_interval)) return std::nullopt;
  std::vector<stats::UnpairedSamples> samples;
  samples.reserve(pairs.size());
  for (const Pair &pair : pairs) samples.push_back(pair.samples);
  return stats::geometric_mean_unpaired_ratio(samples);
}

stats::Decision decide_over(const std::vector<Pair> &pairs) {
  return stats::decide({ratio_over(pairs), worse_control(pairs), clock_ratio(pairs), false}, kRequiredRatio);
}

std::string verdict_word(const stats::Decision &decision, bool comparable) {
  if (comparable || decision.verdict == stats::Verdict::kSlower) return to_string(decision.verdict);
  return kNotComparable;
}

ComparedShape compare_shape(const Pair &pair, bool comparable) {
  ComparedShape row;
  row.shape = pair.left->shape;
  row.left_ns = evidence::cold_median_ns(*pair.left->find("candidate"));
  row.right_ns = evidence::cold_median_ns(*pair.right->find("candidate"));
  row.ratio = ratio_over({pair});
  row.verdict = verdict_word(decide_over({pair}), comparable);
  return row;
}

void decide_overall(BenchmarkComparison &comparison, const std::vector<Pair> &pairs) {
  const bool comparable = comparison.reasons.empty();
  const stats::Decision decision = decide_over(pairs);
  comparison.ratio = ratio_over(pairs);
  comparison.verdict = verdict_word(decision, comparable);
  for (const stats::Reason reason : decision.reasons) comparison.reasons.push_back(to_string(reason));
  if (!comparison.ratio)
    comparison.reasons.push_back(fmt::format("fewer than {} samples at a shape carry no interval", kLeastPairs));
  if (!comparable) return;
  for (const ComparedShape &row : comparison.shapes) {
    if (row.verdict != "slower" || row.ratio->high * (1 + kDefaultMaxRegression) >= 1) continue;
    comparison.verdict = "slower";
    comparison.reasons.push_back(
        fmt::format("{} is slower by {:.1f} %", to_string(row.shape), 100 * (1 / row.ratio->estimate - 1)));
  }
}

}  // namespace

BenchmarkComparison compare_benchmarks(const Benchmark &left, const Benchmark &right) {
  BenchmarkComparison comparison;
  comparison.left_name = left.header.candidate.name;
  comparison.right_name = right.header.candidate.name;
  comparison.differences = find_differences(left, right);
  comparison.reasons = why_not_comparable(left.header, right.header);
  const std::vector<Pair> pairs = pair_up(left, right, comparison.left_out);
  for (const Pair &pair : pairs) comparison.shapes.push_back(compare_shape(pair, comparison.reasons.empty()));
  decide_overall(comparison, pairs);
  return comparison;
}

}  // namespace pyc::hpc
