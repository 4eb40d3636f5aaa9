#include "hpc/neighbours.h"

#include <optional>
#include <utility>

#include "stats/generator.h"

namespace pyc::hpc {
namespace {

using Places = std::vector<std::uint8_t>;

// The places with parameter `i` one level on; none beyond the last.
std::optional<Places> moved(const workspace::ParameterSpace &space, Places places, std::size_t i, int step) {
  const int place = places[i] + step;
  if (place < 0 || place >= static_cast<int>(space.levels()[i].values.size())) return std::nullopt;
  places[i] = static_cast<std::uint8_t>(place);
  return places;
}

void add(const workspace::ParameterSpace &space, const Places &places, std::vector<std::uint64_t> &ids) {
  if (const auto id = space.id_of(places)) ids.push_back(*id);
}

}  // namespace

std::vector<std::uint64_t> neighbours(const workspace::ParameterSpace &space, std::uint64_t id, std::uint64_t seed) {
  const Places here = space.places(id);
  std::vector<std::uint64_t> near, behind;
  for (std::size_t i = 0; i < here.size(); ++i) {
    for (const int step : {-1, +1}) {
      const auto one = moved(space, here, i, step);
      if (!one) continue;
      add(space, *one, near);
      for (std::size_t j = i + 1; j < here.size(); ++j) {
        for (const int other_step : {-1, +1})
          if (const auto two = moved(space, *one, j, other_step)) add(space, *two, behind);
      }
    }
  }
  stats::Generator generator(seed + id);
  for (std::size_t left = behind.size(); left > 1; --left) std::swap(behind[left - 1], behind[generator.below(left)]);
  near.insert(near.end(), behind.begin(), behind.end());
  return near;
}

}  // namespace pyc::hpc
