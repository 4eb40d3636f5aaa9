#include "hpc/profile_summary.h"

#include <algorithm>
#include <utility>

namespace pyc::hpc {
namespace {

using evidence::ProfiledKernel;
using evidence::ProfilerMetric;

// Newer versions of the profiler write the short names.
constexpr std::pair<const char *, double> kTimeUnits[] = {
    {"ns", 1},   {"nsecond", 1},   {"us", 1e3}, {"usecond", 1e3},
    {"ms", 1e6}, {"msecond", 1e6}, {"s", 1e9},  {"second", 1e9},
};

constexpr std::pair<const char *, const char *> kLimits[] = {
    {"launch__occupancy_limit_registers", "registers"}, {"launch__occupancy_limit_shared_mem", "shared memory"},
    {"launch__occupancy_limit_warps", "warps"},         {"launch__occupancy_limit_blocks", "blocks"},
    {"launch__occupancy_limit_barriers", "barriers"},
};

constexpr std::pair<std::string_view, std::string_view> kStallNames[] = {
    {"smsp__average_warps_issue_stalled_", "_per_issue_active.ratio"},
    {"smsp__average_warp_latency_issue_stalled_", ".ratio"},
};

std::optional<double> value_of(const ProfiledKernel &kernel, const char *name) {
  const ProfilerMetric *metric = kernel.find(name);
  return metric == nullptr ? std::nullopt : metric->value;
}

std::optional<double> fraction_of(const ProfiledKernel &kernel, const char *name) {
  const auto percent = value_of(kernel, name);
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

// Absent too where the unit is one that nobody knows.
std::optional<double> time_of(const ProfiledKernel &kernel) {
  const ProfilerMetric *metric = kernel.find("gpu__time_duration.sum");
  if (metric == nullptr || !metric->value) return std::nullopt;
  for (const auto &[unit, factor] : kTimeUnits)
    if (metric->unit == unit) return *metric->value * factor;
  return std::nullopt;
}

void find_limiters(const ProfiledKernel &kernel, ProfileRow &row) {
  for (const auto &[metric, word] : kLimits) {
    const auto blocks = value_of(kernel, metric);
    if (!blocks || (row.limit_blocks && *blocks > *row.limit_blocks)) continue;
    if (row.limit_blocks != blocks) row.limiters.clear();
    row.limit_blocks = blocks;
    row.limiters.push_back(word);
  }
}

// "long_scoreboard" of a stall metric's name; empty for any other, and for what is no stall.
std::string stall_reason(std::string_view name) {
  for (const auto &[prefix, suffix] : kStallNames) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size()) continue;
    const std::string_view reason = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    if (reason == "selected" || reason.ends_with("not_issued")) return {};
    return std::string(reason);
  }
  return {};
}

std::vector<Stall> longest_stalls(const ProfiledKernel &kernel) {
  std::vector<Stall> stalls;
  for (const ProfilerMetric &metric : kernel.metrics) {
    const std::string reason = stall_reason(metric.name);
    if (!reason.empty() && metric.value && *metric.value > 0) stalls.push_back({reason, *metric.value});
  }
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const Stall &a, const Stall &b) { return a.warps_per_issue > b.warps_per_issue; });
  if (stalls.size() > kShownStalls) stalls.resize(kShownStalls);
  return stalls;
}

}  // namespace

ProfileRow summarize(const ProfiledKernel &kernel) {
  ProfileRow row;
  row.kernel = kernel.name;
  row.time_ns = time_of(kernel);
  row.compute = fraction_of(kernel, "sm__throughput.avg.pct_of_peak_sustained_elapsed");
  row.memory = fraction_of(kernel, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
  row.dram = fraction_of(kernel, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  row.occupancy = fraction_of(kernel, "sm__warps_active.avg.pct_of_peak_sustained_active");
  row.possible_occupancy = fraction_of(kernel, "sm__maximum_warps_per_active_cycle_pct");
  find_limiters(kernel, row);
  row.stalls = longest_stalls(kernel);
  row.bank_conflicts = value_of(kernel, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum");
  row.l2_hit_rate = fraction_of(kernel, "lts__t_sector_hit_rate.pct");
  return row;
}

}  // namespace pyc::hpc
