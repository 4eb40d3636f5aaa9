// The order in which a search tries the sets of a parameter space.
//
// How fast a kernel is, is mostly decided by single parameters and by pairs of them (tile by threads, tile by stages).
// So each next set is, of a random few, the one whose pairs of values were tried least so far: the greedy rule of AETG
// (Cohen, Dalal, Fredman and Patton, "The AETG system: an approach to testing based on combinatorial design", IEEE
// Transactions on Software Engineering 23(7), 1997). A search that stops early has then seen every value, and nearly
// every pair; one that goes on to the end has seen every set once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include "stats/generator.h"

namespace pyc::hpc {

class CoverageOrder {
 public:
  // Of each set below `size`, the place of every parameter's value among its levels.
  using PlacesOf = std::function<std::vector<std::uint8_t>(std::uint64_t id)>;

  // `level_counts`: how many levels each parameter has. The same arguments give the same order.
  CoverageOrder(std::vector<std::size_t> level_counts, std::uint64_t size, PlacesOf places_of, std::uint64_t seed);

  // The set comes now, out of turn. False: it has come already.
  bool take(std::uint64_t id);
  // The next set, each once; none when all have come.
  std::optional<std::uint64_t> next();

 private:
  std::uint64_t draw();
  double novelty(std::uint64_t id) const;
  std::size_t slot(std::size_t i, std::uint8_t a, std::size_t j, std::uint8_t b) const;

  std::vector<std::size_t> level_counts_, offsets_;
  std::uint64_t size_;
  PlacesOf places_of_;
  stats::Generator generator_;
  std::size_t all_levels_ = 0;
  std::vector<std::uint32_t> tries_;  // of each pair of values
  std::unordered_set<std::uint64_t> taken_;
};

}  // namespace pyc::hpc
