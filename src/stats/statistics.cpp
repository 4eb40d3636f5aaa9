#include "stats/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/portable_math.h"

namespace pyc::stats {
namespace {

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

}  // namespace

std::optional<double> median(std::span<const double> values) {
  if (values.empty() || has_nan(values)) return std::nullopt;
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  if (copy.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(copy.begin(), middle), *middle);
}

std::optional<double> quantile(std::span<const double> values, double q) {
  if (values.empty() || has_nan(values) || !(q >= 0 && q <= 1)) return std::nullopt;
  std::vector<double> copy(values.begin(), values.end());
  const double place = q * static_cast<double>(copy.size() - 1), whole = std::floor(place);
  const auto lower = copy.begin() + static_cast<std::ptrdiff_t>(whole);
  std::nth_element(copy.begin(), lower, copy.end());
  if (place == whole) return *lower;
  return std::lerp(*lower, *std::min_element(lower + 1, copy.end()), place - whole);
}

std::optional<double> mean(std::span<const double> values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (values.empty() || std::isnan(sum)) return std::nullopt;
  return sum / static_cast<double>(values.size());
}

std::optional<double> standard_deviation(std::span<const double> values) {
  const auto centre = mean(values);
  if (!centre) return std::nullopt;
  double squares = 0;
  for (const double value : values) squares += (value - *centre) * (value - *centre);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

std::optional<double> geometric_mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
    sum += portable_log(value);
  }
  if (values.size() == 1) return values[0];
  return portable_exp(sum / static_cast<double>(values.size()));
}

}  // namespace pyc::stats
