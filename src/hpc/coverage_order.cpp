#include "hpc/coverage_order.h"

#include <utility>

namespace pyc::hpc {
namespace {

constexpr int kPool = 64;  // sets among which the next one is chosen

}  // namespace

CoverageOrder::CoverageOrder(std::vector<std::size_t> level_counts, std::uint64_t size, PlacesOf places_of,
                             std::uint64_t seed)
    : level_counts_(std::move(level_counts)), size_(size), places_of_(std::move(places_of)), generator_(seed) {
  for (const std::size_t count : level_counts_) {
    offsets_.push_back(all_levels_);
    all_levels_ += count;
  }
  tries_.resize(all_levels_ * all_levels_);
}

// The diagonal counts single values, so that a parameter alone counts too.
std::size_t CoverageOrder::slot(std::size_t i, std::uint8_t a, std::size_t j, std::uint8_t b) const {
  return (offsets_[i] + a) * all_levels_ + offsets_[j] + b;
}

bool CoverageOrder::take(std::uint64_t id) {
  if (!taken_.insert(id).second) return false;
  const std::vector<std::uint8_t> places = places_of_(id);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i; j < places.size(); ++j) ++tries_[slot(i, places[i], j, places[j])];
  return true;
}

double CoverageOrder::novelty(std::uint64_t id) const {
  const std::vector<std::uint8_t> places = places_of_(id);
  double sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (level_counts_[i] < 2) continue;  // pinned: it tells nothing
    for (std::size_t j = i; j < places.size(); ++j) {
      if (level_counts_[j] >= 2) sum += 1.0 / (1 + tries_[slot(i, places[i], j, places[j])]);
    }
  }
  return sum;
}

// A random set; where it has come, the next one that has not. Only called while one is left.
std::uint64_t CoverageOrder::draw() {
  std::uint64_t id = generator_.next() % size_;
  while (taken_.contains(id)) id = (id + 1) % size_;
  return id;
}

std::optional<std::uint64_t> CoverageOrder::next() {
  if (taken_.size() >= size_) return std::nullopt;
  std::uint64_t best = draw();
  double best_novelty = novelty(best);
  for (int i = 1; i < kPool; ++i) {
    const std::uint64_t other = draw();
    const double other_novelty = novelty(other);
    if (other_novelty > best_novelty) best = other, best_novelty = other_novelty;
  }
  take(best);
  return best;
}

}  // namespace pyc::hpc
