// The table of a build with the CUTLASS headers.
#include <iterator>

#include "compiler/cutlass_kernels/cutlass/rows.h"

namespace pyc::runtime {

#define PYC_CUTLASS_ROW_ADDRESS(symbol) &symbol,
const CutlassKernel *const kCutlassKernels[] = {PYC_CUTLASS_ROWS(PYC_CUTLASS_ROW_ADDRESS) nullptr};
#undef PYC_CUTLASS_ROW_ADDRESS
const size_t kCutlassKernelCount = std::size(kCutlassKernels) - 1;

}  // namespace pyc::runtime
