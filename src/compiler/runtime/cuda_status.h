// From CUDA's errors to ours. Included by the files that a build without CUDA leaves out.
#pragma once

#include <cuda_runtime_api.h>

#include "compiler/runtime/errors.h"

namespace pyc::runtime {

// SUCCESS, or the status of a failed CUDA call with a detail that names it. CUDA's own record of the error is cleared,
// so that the next launch of this thread does not find it.
inline pyc_status check_cuda(cudaError_t error, const char *call) {
  if (error == cudaSuccess) return PYC_STATUS_SUCCESS;
  cudaGetLastError();
  const pyc_status status = error == cudaErrorMemoryAllocation ? PYC_STATUS_OUT_OF_MEMORY : PYC_STATUS_DEVICE_ERROR;
  return fail(status, "%s: %s (%s)", call, cudaGetErrorName(error), cudaGetErrorString(error));
}

}  // namespace pyc::runtime
