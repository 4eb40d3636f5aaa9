// The order in which arms are timed. Each block is a random order of all arms followed by its mirror image (A B B A for
// two), so that a drift of the clock and a pattern of fast and slow places fall on every arm alike.
#ifndef PYC_HARNESS_ORDER_H
#define PYC_HARNESS_ORDER_H

#include <cstdint>
#include <vector>

namespace pyc::harness {

// Two places per arm, one block; a function of the seed and the block's number alone.
std::vector<int> block_order(int arms, uint64_t seed, int64_t block);

}  // namespace pyc::harness

#endif
