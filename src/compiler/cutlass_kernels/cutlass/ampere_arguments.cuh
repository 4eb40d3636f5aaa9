// The arguments of CUTLASS's kernels for Ampere and Ada, which the CUDA-core and the sm89 kernels share.
#pragma once

#include <cutlass/gemm/device/gemm_universal.h>

#include "compiler/cutlass_kernels/cutlass/gemm_call.cuh"

namespace pyc::runtime {

// One product, k not split: no workspace, and the same bits each time. C is both the source and the result.
template <class Gemm>
typename Gemm::Arguments ampere_arguments(const pyc_gemm_args &x) {
  constexpr int64_t batch_stride = 0;
  return {cutlass::gemm::GemmUniversalMode::kGemm,
          {static_cast<int>(x.m), static_cast<int>(x.n), static_cast<int>(x.k)},
          /*batch_count=*/1,
          {x.alpha, x.beta},
          x.a,
          x.b,
          x.c,
          x.c,
          batch_stride,
          batch_stride,
          batch_stride,
          batch_stride,
          x.lda,
          x.ldb,
          x.ldc,
          x.ldc};
}

}  // namespace pyc::runtime
