#include "toolchain/arch.h"

#include <algorithm>
#include <array>

namespace pyc::toolchain {
namespace {

// Shared memory per block (99 and 227 KiB) and fp32 results per clock and SM: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability" and "Throughput of Native Arithmetic Instructions". The `a` of sm90 opens
// wgmma and setmaxnreg; such code runs on compute capability 9.0 and on nothing later.
constexpr std::array<Arch, 2> kArches = {{
    {"sm89", "8.9", "compute_89", "arch=compute_89,code=sm_89", 101376, 128},
    {"sm90", "9.0", "compute_90a", "arch=compute_90a,code=sm_90a", 232448, 128},
}};

}  // namespace

std::span<const Arch> arches() { return kArches; }

const Arch *find_arch(std::string_view name) {
  for (const Arch &arch : kArches)
    if (name == arch.name) return &arch;
  return nullptr;
}

const Arch *arch_of_compute_capability(std::string_view capability) {
  for (const Arch &arch : kArches)
    if (capability == arch.compute_capability) return &arch;
  return nullptr;
}

std::vector<std::string> arch_names() {
  std::vector<std::string> names(kArches.size());
  std::transform(kArches.begin(), kArches.end(), names.begin(), [](const Arch &arch) { return arch.name; });
  return names;
}

double fp32_peak_flops(const Arch &arch, int sm_count, std::int64_t sm_clock_khz) {
  constexpr double kFlopsPerFma = 2, kHzPerKhz = 1000;
  return kFlopsPerFma * arch.fp32_lanes_per_sm * sm_count * static_cast<double>(sm_clock_khz) * kHzPerKhz;
}

}  // namespace pyc::toolchain
