// Our enumerations in the words of cuBLAS and cuBLASLt.
#pragma once

#include <cublas_api.h>

#include "pyc/gemm.h"

namespace pyc::runtime {

inline cudaDataType cuda_type(int32_t dtype) {
  if (dtype == PYC_DTYPE_FP16) return CUDA_R_16F;
  return dtype == PYC_DTYPE_BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

inline cublasComputeType_t compute_type(const pyc_gemm_desc &desc) {
  const bool tf32 = desc.dtype == PYC_DTYPE_FP32 && desc.precision == PYC_PRECISION_ALLOW_TF32;
  return tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

}  // namespace pyc::runtime
