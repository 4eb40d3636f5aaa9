#include "order.h"

#include <numeric>
#include <utility>

#include "pattern.h"

namespace pyc::harness {

std::vector<int> block_order(int arms, uint64_t seed, int64_t block) {
  std::vector<int> order(static_cast<size_t>(arms));
  std::iota(order.begin(), order.end(), 0);
  const uint64_t block_seed = derive_seed(seed, static_cast<uint64_t>(block));
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[derive_seed(block_seed, i) % i]);
  for (size_t i = order.size(); i > 0; --i) order.push_back(order[i - 1]);
  return order;
}

}  // namespace pyc::harness
