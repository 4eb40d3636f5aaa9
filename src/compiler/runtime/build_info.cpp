// PYC_VERSION_STRING, PYC_COMPILER_STRING and PYC_COMPILED_ARCHS come from CMake.
#include "compiler/runtime/build_info.h"

#include "compiler/runtime/cutlass.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/promoted.h"

namespace pyc::runtime {

pyc_build build_info() {
  return {uint32_t(sizeof(pyc_build)),
          cuda_built_version(),
          cuda_driver_version(),
          int32_t(promoted_kernels().size()),
          int32_t(cutlass_kernels().size()),
          PYC_VERSION_STRING,
          PYC_COMPILED_ARCHS,
          PYC_COMPILER_STRING};
}

}  // namespace pyc::runtime
