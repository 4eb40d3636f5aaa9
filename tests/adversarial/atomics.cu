// A right kernel that is not deterministic: the k of an element are split among blocks, which add into C with atomics
// in whatever order they come. fp32, nn.
#include <cuda_runtime.h>

#include "pyc/kernel.h"

namespace {

constexpr int kSplits = 16, kThreads = 256;

__global__ void scale_c(const __grid_constant__ pyc_gemm_args g) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < g.m * g.n; i += step) {
    float *const c = static_cast<float *>(g.c) + i / g.n * g.ldc + i % g.n;
    *c = g.beta == 0.0f ? 0.0f : g.beta * *c;
  }
}

__global__ void add_products(const __grid_constant__ pyc_gemm_args g) {
  const float *const a = static_cast<const float *>(g.a), *const b = static_cast<const float *>(g.b);
  const int64_t i = blockIdx.y, j = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t per_split = (g.k + kSplits - 1) / kSplits, begin = blockIdx.z * per_split;
  const int64_t end = begin + per_split < g.k ? begin + per_split : g.k;
  if (j >= g.n || begin >= end) return;
  float sum = 0;
  for (int64_t l = begin; l < end; ++l) sum = fmaf(a[i * g.lda + l], b[l * g.ldb + j], sum);
  atomicAdd(static_cast<float *>(g.c) + i * g.ldc + j, g.alpha * sum);
}

}  // namespace

PYC_KERNEL pyc_status pyc_gemm_adversarial(const pyc_gemm_args *args, void *stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  if (args->m > 65535) return PYC_STATUS_UNSUPPORTED;
  scale_c<<<256, kThreads, 0, on>>>(*args);
  const dim3 grid(static_cast<unsigned>((args->n + kThreads - 1) / kThreads), static_cast<unsigned>(args->m), kSplits);
  add_products<<<grid, kThreads, 0, on>>>(*args);
  return cudaGetLastError() == cudaSuccess ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
}
