#include "workspace/parameter_levels.h"

#include <algorithm>
#include <fmt/format.h>

namespace pyc::workspace {
namespace {

constexpr std::int64_t kFewValues = 8;    // a range with no more is taken whole
constexpr std::size_t kMostLevels = 255;  // of one parameter

std::vector<std::int64_t> levels_of_range(const TemplateParameter &parameter) {
  const std::int64_t step = parameter.multiple_of;
  const std::int64_t first = (parameter.minimum + step - 1) / step, last = parameter.maximum / step;
  std::vector<std::int64_t> values;
  if (last - first < kFewValues) {
    for (std::int64_t factor = first; factor <= last; ++factor) values.push_back(factor * step);
    return values;
  }
  if (first == 0) values.push_back(0);
  for (std::int64_t power = 1; power <= last; power *= 2) {
    if (power >= first) values.push_back(power * step);
    const std::int64_t between = power + power / 2;
    if (power > 1 && between >= first && between <= last) values.push_back(between * step);
  }
  return values;
}

}  // namespace

void add_level(ParameterLevels &levels, std::int64_t value) {
  const auto place = std::lower_bound(levels.values.begin(), levels.values.end(), value);
  if (place == levels.values.end() || *place != value) levels.values.insert(place, value);
}

Result<ParameterLevels> levels_of(const TemplateParameter &parameter, const Restrictions &restrictions) {
  ParameterLevels levels{parameter.name, {}};
  if (const auto given = restrictions.find(parameter.name); given != restrictions.end()) {
    for (const std::int64_t value : given->second) {
      PYC_CHECK(check_parameter(parameter, value));
      add_level(levels, value);
    }
  } else if (!parameter.values.empty()) {
    for (const std::int64_t value : parameter.values) add_level(levels, value);
  } else {
    levels.values = levels_of_range(parameter);
    if (parameter.default_expression.empty()) add_level(levels, parameter.default_value);
  }
  if (levels.values.size() <= kMostLevels) return levels;
  return fail(
      ErrorKind::kInvalid,
      fmt::format("the parameter '{}' has {} values, more than {}", parameter.name, levels.values.size(), kMostLevels),
      kNarrow);
}

}  // namespace pyc::workspace
