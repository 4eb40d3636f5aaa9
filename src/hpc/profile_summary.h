// What a profile says about each launch of the candidate, derived from the profiler's metrics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/records.h"

namespace pyc::hpc {

// Why warps waited: how many were waiting for it, on average, whenever an instruction was issued.
struct Stall {
  std::string reason;
  double warps_per_issue = 0;
};

// A figure that was not measured is absent. Fractions are 0 to 1.
struct ProfileRow {
  std::string kernel;
  std::optional<double> time_ns;
  std::optional<double> compute, memory, dram;  // fractions of the peak that can be sustained
  std::optional<double> occupancy, possible_occupancy;
  std::vector<std::string> limiters;  // what allows the fewest blocks per SM: "registers"; several if they tie
  std::optional<double> limit_blocks;
  std::vector<Stall> stalls;  // the longest first, at most kShownStalls
  std::optional<double> bank_conflicts, l2_hit_rate;
};
constexpr std::size_t kShownStalls = 3;

ProfileRow summarize(const evidence::ProfiledKernel &kernel);

}  // namespace pyc::hpc
