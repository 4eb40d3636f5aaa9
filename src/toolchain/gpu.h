// GPUs as nvidia-smi tells them. The tool links no CUDA library; what a running kernel sees comes from the harness.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "toolchain/nvcc.h"

namespace pyc::toolchain {

struct GpuInfo {
  int index = 0;
  std::string name, uuid, compute_capability, driver;  // "unknown" where nvidia-smi says [N/A] and the like
  std::optional<std::int64_t> memory_bytes;
  std::optional<double> power_limit_w;
  std::optional<bool> ecc, mig;
};

// In PATH, or where WSL keeps it.
std::optional<std::filesystem::path> find_nvidia_smi(const Environment &environment);

// Those that CUDA_VISIBLE_DEVICES leaves. kUnavailable if there is no nvidia-smi, it fails, or it lists no such GPU.
Result<std::vector<GpuInfo>> query_gpus(const Environment &environment);

// One CSV row per GPU; fields may be quoted and hold commas. kInvalid names the line that cannot be read.
Result<std::vector<GpuInfo>> parse_gpu_csv(std::string_view csv);

// The GPUs that a CUDA program would see under this CUDA_VISIBLE_DEVICES, in its order: numbers or UUIDs, of which a
// beginning is enough; the list ends at the first that names none. Where it cannot be told which GPU is meant (a MIG
// slice, or a number on a machine with different models, which CUDA counts in an order of its own), all are returned.
std::vector<GpuInfo> visible_gpus(const std::vector<GpuInfo> &gpus, const std::optional<std::string> &variable);

}  // namespace pyc::toolchain
