#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/generator.h"
#include "stats/statistics.h"

namespace pyc::stats {
namespace {

bool is_sample(double value) { return std::isfinite(value) && value > 0; }

// numerator[i] / denominator[i], sorted, so that a draw does not depend on the order in which the pairs were recorded.
std::optional<std::vector<double>> sorted_ratios(const PairedSamples &samples) {
  const auto &[numerator, denominator] = samples;
  if (numerator.size() != denominator.size() || numerator.empty()) return std::nullopt;
  std::vector<double> ratios(numerator.size());
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    ratios[i] = numerator[i] / denominator[i];
    if (!is_sample(numerator[i]) || !is_sample(denominator[i]) || !is_sample(ratios[i])) return std::nullopt;
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

// Median of as many draws with replacement as there are ratios. Ranks stand for the sorted ratios: they are cheaper to
// select among.
double resampled_median(const std::vector<double> &sorted, std::vector<std::uint32_t> &ranks, Generator &generator) {
  ranks.resize(sorted.size());
  for (std::uint32_t &rank : ranks) rank = static_cast<std::uint32_t>(generator.below(sorted.size()));
  const auto middle = ranks.begin() + static_cast<std::ptrdiff_t>(ranks.size() / 2);
  std::nth_element(ranks.begin(), middle, ranks.end());
  if (ranks.size() % 2 == 1) return sorted[*middle];
  return std::midpoint(sorted[*std::max_element(ranks.begin(), middle)], sorted[*middle]);
}

// Sorted, so that a draw does not depend on the order in which the samples were recorded.
std::optional<std::vector<double>> sorted_samples(std::vector<double> samples) {
  if (samples.empty() || !std::all_of(samples.begin(), samples.end(), is_sample)) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  return samples;
}

std::optional<std::vector<UnpairedSamples>> sorted_shapes(std::span<const UnpairedSamples> shapes) {
  std::vector<UnpairedSamples> sorted;
  for (const UnpairedSamples &shape : shapes) {
    auto numerator = sorted_samples(shape.numerator), denominator = sorted_samples(shape.denominator);
    if (!numerator || !denominator) return std::nullopt;
    sorted.push_back({std::move(*numerator), std::move(*denominator)});
  }
  return sorted;
}

std::optional<Interval> bootstrap(const std::vector<std::vector<double>> &shapes, double confidence, std::uint64_t seed,
                                  int resamples) {
  if (!(confidence > 0 && confidence < 1) || resamples < 1) return std::nullopt;
  Generator generator(seed);
  std::vector<double> medians(shapes.size()), estimates(static_cast<std::size_t>(resamples));
  std::vector<std::uint32_t> ranks;
  for (double &estimate : estimates) {
    for (std::size_t i = 0; i < shapes.size(); ++i) medians[i] = resampled_median(shapes[i], ranks, generator);
    estimate = *geometric_mean(medians);
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) medians[i] = *median(shapes[i]);
  const double tail = (1 - confidence) / 2;
  return Interval{*geometric_mean(medians), *quantile(estimates, tail), *quantile(estimates, 1 - tail)};
}

}  // namespace

std::optional<Interval> paired_ratio(const PairedSamples &samples, double confidence, std::uint64_t seed,
                                     int resamples) {
  return geometric_mean_ratio({&samples, 1}, confidence, seed, resamples);
}

std::optional<Interval> geometric_mean_ratio(std::span<const PairedSamples> shapes, double confidence,
                                             std::uint64_t seed, int resamples) {
  if (shapes.empty()) return std::nullopt;
  std::vector<std::vector<double>> ratios;
  for (const PairedSamples &shape : shapes) {
    auto of_shape = sorted_ratios(shape);
    if (!of_shape) return std::nullopt;
    ratios.push_back(std::move(*of_shape));
  }
  return bootstrap(ratios, confidence, seed, resamples);
}

std::optional<Interval> unpaired_ratio(const UnpairedSamples &samples, double confidence, std::uint64_t seed,
                                       int resamples) {
  return geometric_mean_unpaired_ratio({&samples, 1}, confidence, seed, resamples);
}

std::optional<Interval> geometric_mean_unpaired_ratio(std::span<const UnpairedSamples> shapes, double confidence,
                                                      std::uint64_t seed, int resamples) {
  const auto sorted = sorted_shapes(shapes);
  if (!sorted || shapes.empty() || !(confidence > 0 && confidence < 1) || resamples < 1) return std::nullopt;
  Generator generator(seed);
  std::vector<double> ratios(sorted->size()), estimates(static_cast<std::size_t>(resamples));
  std::vector<std::uint32_t> ranks;
  for (double &estimate : estimates) {
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      const double numerator = resampled_median((*sorted)[i].numerator, ranks, generator);
      ratios[i] = numerator / resampled_median((*sorted)[i].denominator, ranks, generator);
    }
    const auto mean = geometric_mean(ratios);
    if (!mean) return std::nullopt;
    estimate = *mean;
  }
  for (std::size_t i = 0; i < ratios.size(); ++i)
    ratios[i] = *median((*sorted)[i].numerator) / *median((*sorted)[i].denominator);
  const auto mean = geometric_mean(ratios);
  if (!mean) return std::nullopt;
  const double tail = (1 - confidence) / 2;
  return Interval{*mean, *quantile(estimates, tail), *quantile(estimates, 1 - tail)};
}

std::optional<std::int64_t> pairs_to_decide(const Interval &interval, std::int64_t pairs, double bar) {
  const double margin = interval.estimate - bar, width = interval.estimate - interval.low;
  if (!(margin > 0) || !std::isfinite(width) || pairs < 1) return std::nullopt;
  if (width <= margin) return pairs;
  const double shrink = width / margin, needed = std::ceil(static_cast<double>(pairs) * shrink * shrink);
  constexpr double kMoreThanAnyoneCanTake = 1e15;
  if (!(needed < kMoreThanAnyoneCanTake)) return std::nullopt;
  return static_cast<std::int64_t>(needed);
}

}  // namespace pyc::stats
