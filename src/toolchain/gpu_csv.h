// The columns that are asked of nvidia-smi and read from its answer.
#pragma once

#include "toolchain/gpu.h"

namespace pyc::toolchain {

constexpr const char *kGpuColumns =
    "index,name,uuid,compute_cap,driver_version,memory.total,power.limit,ecc.mode.current,mig.mode.current";

}  // namespace pyc::toolchain
