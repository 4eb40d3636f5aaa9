#include "stats/distribution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/statistics.h"

namespace pyc::stats {
namespace {

constexpr double kFarOut = 3;             // quartile ranges
constexpr double kLeastSeparation = 5;    // Ashman's D
constexpr double kLeastShare = 0.1;       // of the samples in the smaller heap
constexpr std::size_t kLeastValues = 20;  // fewer show no heaps

// Sums over a part of the sorted values, less their median, so that nothing cancels.
struct Heap {
  double count = 0, sum = 0, squares = 0;
  void add(double value, double sign) { count += sign, sum += sign * value, squares += sign * value * value; }
  double mean() const { return sum / count; }
  double variance() const { return std::max(0.0, squares / count - mean() * mean()); }
};

}  // namespace

Outliers count_outliers(std::span<const double> values) {
  const auto first = quantile(values, 0.25), third = quantile(values, 0.75);
  Outliers outliers;
  if (!first || !third) return outliers;
  const double reach = kFarOut * (*third - *first);
  for (const double value : values) {
    if (value < *first - reach) ++outliers.low;
    if (value > *third + reach) ++outliers.high;
  }
  return outliers;
}

std::optional<Modes> find_modes(std::span<const double> values, double least_gap) {
  if (values.size() < kLeastValues ||
      !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double middle = sorted[sorted.size() / 2];
  Heap low, high;
  for (const double value : sorted) high.add(value - middle, 1);
  std::optional<Modes> best;
  double best_between = 0;
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    low.add(sorted[i] - middle, 1), high.add(sorted[i] - middle, -1);
    const double gap = high.mean() - low.mean(), between = low.count * high.count * gap * gap;
    if (between <= best_between || sorted[i] == sorted[i + 1]) continue;
    best_between = between;
    best.reset();
    const double share = high.count / static_cast<double>(sorted.size());
    const double spread = std::sqrt((low.variance() + high.variance()) / 2);
    if (share < kLeastShare || share > 1 - kLeastShare || gap < least_gap || gap < kLeastSeparation * spread) continue;
    best = Modes{low.mean() + middle, high.mean() + middle, share};
  }
  return best;
}

std::optional<double> positive_mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace pyc::stats
