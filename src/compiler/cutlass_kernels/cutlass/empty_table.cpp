// The table of a build without the CUTLASS headers.
#include "compiler/cutlass_kernels/cutlass/kernel.h"

namespace pyc::runtime {

const CutlassKernel *const kCutlassKernels[] = {nullptr};
const size_t kCutlassKernelCount = 0;

}  // namespace pyc::runtime
