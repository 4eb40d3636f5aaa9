// The registry of a build without CUDA: no .cu file is compiled, so there is nothing to register.
#include "compiler/cutlass_kernels/promoted_kernel.h"

namespace pyc::runtime {

const PromotedKernel kPromotedKernels[] = {{}};
const size_t kPromotedKernelCount = 0;

}  // namespace pyc::runtime
