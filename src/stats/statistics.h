// Pure arithmetic on samples. Nothing here knows what was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pyc::stats {

// All of these ignore nothing: a NaN in gives "no value" out. Empty input gives no value.
std::optional<double> median(std::span<const double> values);
std::optional<double> quantile(std::span<const double> values, double q);  // linear interpolation, type 7
std::optional<double> mean(std::span<const double> values);
std::optional<double> standard_deviation(std::span<const double> values);  // of these values, not of a larger set
std::optional<double> geometric_mean(std::span<const double> values);      // all values must be > 0

struct Interval {
  double estimate = 0, low = 0, high = 0;
};

// Samples of two arms that were taken as pairs: numerator[i] beside denominator[i].
struct PairedSamples {
  std::vector<double> numerator, denominator;
};

constexpr std::uint64_t kBootstrapSeed = 20240229;
constexpr int kBootstrapResamples = 2000;
constexpr double kConfidence = 0.95;

// Median of the paired ratios numerator/denominator with its percentile-bootstrap interval.
// No value if the lengths differ, are zero, or a sample is not positive and finite.
std::optional<Interval> paired_ratio(const PairedSamples &samples, double confidence = kConfidence,
                                     std::uint64_t seed = kBootstrapSeed, int resamples = kBootstrapResamples);

// Geometric mean over shapes of the median paired ratio; each resample draws pairs within every shape, so that the
// interval covers the noise of all shapes together.
std::optional<Interval> geometric_mean_ratio(std::span<const PairedSamples> shapes, double confidence = kConfidence,
                                             std::uint64_t seed = kBootstrapSeed, int resamples = kBootstrapResamples);

// Samples of two arms that were taken apart, in two runs: nothing pairs them, and their numbers may differ.
struct UnpairedSamples {
  std::vector<double> numerator, denominator;
};

// Ratio of the medians of numerator and denominator with its percentile-bootstrap interval; each resample draws from
// the two independently. It covers the noise within the runs, not what differs between them. No value if either is
// empty or a sample is not positive and finite.
std::optional<Interval> unpaired_ratio(const UnpairedSamples &samples, double confidence = kConfidence,
                                       std::uint64_t seed = kBootstrapSeed, int resamples = kBootstrapResamples);

// Geometric mean of the shapes' unpaired ratios.
std::optional<Interval> geometric_mean_unpaired_ratio(std::span<const UnpairedSamples> shapes,
                                                      double confidence = kConfidence,
                                                      std::uint64_t seed = kBootstrapSeed,
                                                      int resamples = kBootstrapResamples);

// How many pairs per shape would bring the interval's low end up to `bar`, judged from the present width, which shrinks
// with the square root of the number of pairs. No value if the estimate itself is below the bar.
std::optional<std::int64_t> pairs_to_decide(const Interval &interval, std::int64_t pairs, double bar);

}  // namespace pyc::stats
