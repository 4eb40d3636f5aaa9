// Slices of GPUs whose MIG mode is on. CUDA sees one slice and not the GPU.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "toolchain/nvcc.h"

namespace pyc::toolchain {

struct MigSlice {
  int gpu_index = 0;
  std::string profile, uuid;  // "1g.18gb", "MIG-..."
};

// Of `nvidia-smi -L`; lines that are neither a GPU nor a slice are passed over.
std::vector<MigSlice> parse_gpu_list(std::string_view list);

// kUnavailable if nvidia-smi does not answer.
Result<std::vector<MigSlice>> query_slices(const Environment &environment);

}  // namespace pyc::toolchain
