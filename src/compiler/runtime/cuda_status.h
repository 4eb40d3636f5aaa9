// From CUDA's errors to ours. Included by the files that a build without CUDA leaves out.
#pragma once

#include <cuda_runtime_api.h>

#include "compiler/runtime/errors.h"

namespace pyc::runtime {

inline pyc_status status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return PYC_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation: return PYC_STATUS_OUT_OF_MEMORY;
    case cudaErrorInsufficientDriver:
    case cudaErrorUnsupportedPtxVersion: return PYC_STATUS_DRIVER_TOO_OLD;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction: return PYC_STATUS_ARCH_MISMATCH;
    default: return PYC_STATUS_DEVICE_ERROR;
  }
}

// SUCCESS, or the status of a failed CUDA call with a detail that names it. CUDA's own record of the error is cleared,
// so that the next launch of this thread does not find it.
inline pyc_status check_cuda(cudaError_t error, const char *call) {
  if (error == cudaSuccess) return PYC_STATUS_SUCCESS;
  cudaGetLastError();
  return fail(status_of(error), "%s: %s (%s)", call, cudaGetErrorName(error), cudaGetErrorString(error));
}

}  // namespace pyc::runtime
