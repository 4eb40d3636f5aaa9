// The sets beside a good one: where a search that has seen a little of everything looks next.
#pragma once

#include <cstdint>
#include <vector>

#include "workspace/parameter_space.h"

namespace pyc::hpc {

// Sets that keep the rules and differ from `id` by one level of one parameter, and behind them, in an order drawn from
// the seed, those that differ by one level of two: many rules tie two parameters together, so that neither can move
// alone.
std::vector<std::uint64_t> neighbours(const workspace::ParameterSpace &space, std::uint64_t id, std::uint64_t seed);

}  // namespace pyc::hpc
