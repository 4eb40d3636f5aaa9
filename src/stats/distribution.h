// The shape of one arm's samples: what a median alone would hide. Nothing is thrown away on its account.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace pyc::stats {

// Samples beyond three quartile ranges from the quartiles: Tukey's "far out" values (Exploratory Data Analysis, 1977).
// They are counted, and stay in every median.
struct Outliers {
  std::size_t low = 0, high = 0;
};
Outliers count_outliers(std::span<const double> values);

// Two heaps of samples with a gap between them.
struct Modes {
  double low = 0, high = 0;  // the heaps' means
  double high_share = 0;     // of the samples, 0 to 1
};

// Whether the samples form two heaps, each of a tenth of them or more, whose means are `least_gap` or more apart and
// stand out: Ashman's D (Ashman, Bird, Zepf: Detecting bimodality in astronomical datasets, 1994) of the best split in
// two is 5 or more. Any split of a normal distribution has D = 2.7, of an even one 3.5. `least_gap` has the samples'
// unit and keeps the ticks of a timer from passing for heaps.
std::optional<Modes> find_modes(std::span<const double> values, double least_gap);

// Mean of the values; no value if there are none, or one is not positive and finite.
std::optional<double> positive_mean(std::span<const double> values);

}  // namespace pyc::stats
