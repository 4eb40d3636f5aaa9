// How long a search may go on.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pyc::hpc {

struct TuneBudget {
  std::optional<int> tries;                  // parameter sets that are compiled
  std::optional<std::chrono::seconds> time;  // of the search, earlier runs of it included
};
constexpr int kDefaultTries = 200;

// "200", "200 tries", "90s", "10m", "1.5h"; kInvalid for anything else, and for less than one.
Result<TuneBudget> parse_budget(const std::string &text);

std::string to_string(const TuneBudget &budget);  // "200 tries", "600 s"

// A search first covers the space and then looks beside the best of what it has timed, in generations. With a budget in
// tries each ends at a number of sets, with one in time at a share of it.
struct Generation {
  int sets = 0;  // in all, when it ends; with a budget in time: without end
  double time_share = 1;
};
// The first one covers. A space that the tries exhaust is covered and nothing else.
std::vector<Generation> generations(const TuneBudget &budget, std::uint64_t space_sets);

// No round begins behind this share of a budget in time; the finalists are always timed.
constexpr double kLastRoundShare = 0.85;

// Whether `spent` is within `share` of the budget's time. A budget in tries never ends by time.
bool has_time(const TuneBudget &budget, std::chrono::nanoseconds spent, double share);

}  // namespace pyc::hpc
