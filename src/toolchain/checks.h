// The checks that doctor.cpp puts together, each a pure function of what a probe found, or a probe of its own.
#pragma once

#include <vector>

#include "toolchain/doctor.h"

namespace pyc::toolchain {

using NvccResult = Result<Nvcc>;
using GpuResult = Result<std::vector<GpuInfo>>;

DoctorCheck check_nvcc(const NvccResult &nvcc, const Environment &environment);
DoctorCheck check_host_compiler(const NvccResult &nvcc, const Environment &environment);
DoctorCheck check_gpu(const GpuResult &gpus, const Environment &environment);
DoctorCheck check_driver(const GpuResult &gpus, const NvccResult &nvcc);

DoctorCheck check_ncu(const NvccResult &nvcc, const Environment &environment);
DoctorCheck check_sanitizer(const NvccResult &nvcc, const Environment &environment);
DoctorCheck check_cutlass(const Environment &environment);
DoctorCheck check_blas();

}  // namespace pyc::toolchain
