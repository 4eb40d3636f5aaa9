// The CUTLASS set as the runtime sees it: a table of kernels that were compiled from the CUTLASS headers into this
// library. This header needs none of them, so that the runtime reads the table in every build.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compiler/cutlass_kernels/promoted_kernel.h"
#include "pyc/family.h"
#include "pyc/gemm.h"
#include "pyc/kernel.h"

namespace pyc::runtime {

struct CutlassKernel {
  const char *symbol;  // "pyc_cutlass_fp16_nn_sm90"
  const char *arch;    // "sm90": compute capability 9.0 and no other
  int32_t dtype;       // a pyc_dtype
  int32_t layout;      // a pyc_layout
  uint32_t families;   // the families whose problems fill the kernel's tile: bit_of(family), or-ed
  KernelRequirements requirements;
  pyc_gemm_kernel run;
  pyc_gemm_workspace_query workspace;
  // What the kernel's own checks say to a call that keeps `requirements`: nullptr if it can run, or why not. Launches
  // nothing.
  const char *(*objection)(const pyc_gemm_args *args);
};

// CUTLASS counts rows and columns in 32 bits.
constexpr int64_t kCutlassMaxSize = INT32_MAX;
// A TMA descriptor holds a stride in bytes below 2^40.
constexpr int64_t kCutlassMaxLd = (int64_t{1} << 38) - 1;

constexpr uint32_t bit_of(pyc_shape_family family) { return 1u << family; }

// In the order in which they are asked; at most one row for each (arch, dtype, layout). The array ends with nullptr,
// which kCutlassKernelCount does not count, so that the table of a build without the CUTLASS headers is an array too.
extern const CutlassKernel *const kCutlassKernels[];
extern const size_t kCutlassKernelCount;

}  // namespace pyc::runtime
