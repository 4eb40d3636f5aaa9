// The GPU architectures that PyC promotes for, one table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyc::toolchain {

struct Arch {
  const char *name;                            // sm90, as in kernel.json
  const char *compute_capability;              // 9.0
  const char *nvcc_arch;                       // what `nvcc --list-gpu-arch` must name: compute_90a
  const char *code_flag;                       // -gencode value: arch=compute_90a,code=sm_90a
  std::int64_t shared_memory_per_block_bytes;  // the opt-in limit (CUDA C++ programming guide, compute capabilities)
  int fp32_lanes_per_sm;                       // FFMA results per SM and clock
};

std::span<const Arch> arches();
const Arch *find_arch(std::string_view name);                         // null if unknown
const Arch *arch_of_compute_capability(std::string_view capability);  // "9.0" -> sm90; null if not promotable
std::vector<std::string> arch_names();

// Peak fp32 FFMA rate in FLOP/s for a device of this arch at `sm_clock_khz`.
double fp32_peak_flops(const Arch &arch, int sm_count, std::int64_t sm_clock_khz);

}  // namespace pyc::toolchain
