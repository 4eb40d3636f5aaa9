// What is asked of ncu, and what its answers mean.
#include "toolchain/ncu.h"

#include "base/text.h"

namespace pyc::toolchain {
namespace {

// Beside those of the sections: they make the summary whole where a version keeps one in another section.
const std::vector<std::string> kMetrics = {
    "gpu__time_duration.sum",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "lts__t_sector_hit_rate.pct",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

std::vector<std::string> ncu_arguments() {
  std::vector<std::string> arguments = {
      "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base", "demangled", "--clock-control", "none"};
  for (const char *section : {"SpeedOfLight", "Occupancy", "LaunchStats", "WarpStateStats", "MemoryWorkloadAnalysis"}) {
    arguments.push_back("--section");
    arguments.push_back(section);
  }
  arguments.push_back("--metrics");
  arguments.push_back(join(kMetrics, ","));
  return arguments;
}

bool says_nothing_was_profiled(std::string_view output) {
  return contains(output, "No kernels were profiled") ||
         contains(output, "terminated before first instrumented API call");
}

bool lacks_permission(std::string_view output) { return contains(output, "ERR_NVGPUCTRPERM"); }

}  // namespace pyc::toolchain
