// A plain tiled fp32 kernel, right for every shape, leading dimension, alpha and beta. Each wrong kernel beside it is
// this one with one fault, chosen by a macro, so that a check that fails tells of the fault and of nothing else.
//
// A block of 256 threads owns 64 x 64 of C and walks k in steps of 16 through shared memory; each thread holds 4 x 4.
#include <cuda_runtime.h>

#include "pyc/kernel.h"

#ifndef SYMBOL
#define SYMBOL pyc_gemm_honest
#endif

namespace {

constexpr int kTile = 64, kStep = 16, kThreads = 256;

#ifdef FAULT_WRONG_LATER
__device__ int calls;
#endif

__device__ void store(const pyc_gemm_args &g, int64_t row, int64_t column, float sum) {
#ifdef FAULT_ZEROS
  sum = 0.0f;
#endif
#ifdef FAULT_NAN
  sum = nanf("");
#endif
#ifdef FAULT_WRONG_LATER
  if (calls > 40) sum += 1.0f;
#endif
#ifdef FAULT_IGNORES_LDC
  const int64_t ldc = g.n;
#else
  const int64_t ldc = g.ldc;
#endif
  float *const c = static_cast<float *>(g.c) + row * ldc + column;
#ifdef FAULT_READS_C
  *c = g.alpha * sum + g.beta * *c;
#elif defined(FAULT_IGNORES_BETA)
  *c = g.alpha * sum;
#elif defined(FAULT_IGNORES_ALPHA)
  *c = g.beta == 0.0f ? sum : sum + g.beta * *c;
#else
  *c = g.beta == 0.0f ? g.alpha * sum : g.alpha * sum + g.beta * *c;
#endif
#ifdef FAULT_WRITES_PADDING
  if (column == g.n - 1 && g.ldc > g.n) c[1] = 0.0f;
#endif
#ifdef FAULT_WRITES_BEHIND
  if (row == g.m - 1 && column == g.n - 1) c[1] = 0.0f;
#endif
#ifdef FAULT_CHANGES_INPUT
  if (row == 0 && column == 0) static_cast<unsigned *>(const_cast<void *>(g.a))[0] ^= 1u;
#endif
}

__global__ void __launch_bounds__(kThreads) gemm_kernel(pyc_gemm_args g) {
  __shared__ float a_tile[kStep][kTile], b_tile[kStep][kTile];
  const float *const a = static_cast<const float *>(g.a), *const b = static_cast<const float *>(g.b);
  const int64_t row0 = int64_t{blockIdx.y} * kTile, column0 = int64_t{blockIdx.x} * kTile;
  const int row_lane = threadIdx.x / 16, column_lane = threadIdx.x % 16;
#ifdef FAULT_SKIPS_K_REMAINDER
  const int64_t k_end = g.k < kStep ? g.k : g.k / kStep * kStep;
#elif defined(FAULT_DROPS_ONE_TERM)
  const int64_t k_end = g.k > 1 ? g.k - 1 : 1;
#else
  const int64_t k_end = g.k;
#endif
#ifdef FAULT_IGNORES_LDA
  const int64_t lda = g.k;
#else
  const int64_t lda = g.lda;
#endif
  float sum[4][4] = {};
  for (int64_t l0 = 0; l0 < k_end; l0 += kStep) {
    for (int i = threadIdx.x; i < kTile * kStep; i += kThreads) {
      const int64_t row = row0 + i / kStep, l = l0 + i % kStep;
      a_tile[i % kStep][i / kStep] = row < g.m && l < k_end ? a[row * lda + l] : 0.0f;
      const int64_t b_row = l0 + i / kTile, column = column0 + i % kTile;
      b_tile[i / kTile][i % kTile] = b_row < k_end && column < g.n ? b[b_row * g.ldb + column] : 0.0f;
    }
    __syncthreads();
    for (int l = 0; l < kStep; ++l) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sum[i][j] += a_tile[l][row_lane + 16 * i] * b_tile[l][column_lane + 16 * j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int64_t row = row0 + row_lane + 16 * i, column = column0 + column_lane + 16 * j;
#ifdef FAULT_SKIPS_LAST_ROW
      if (row < g.m - 1 && column < g.n) store(g, row, column, sum[i][j]);
#else
      if (row < g.m && column < g.n) store(g, row, column, sum[i][j]);
#endif
    }
  }
}

#ifdef FAULT_WRONG_LATER
__global__ void count_call() { ++calls; }
#endif

}  // namespace

PYC_KERNEL pyc_status SYMBOL(const pyc_gemm_args *args, void *stream) {
#ifdef FAULT_ANSWERS_ERROR
  return PYC_STATUS_INTERNAL_ERROR;
#endif
#ifndef FAULT_ACCEPTS_UNSUPPORTED
  if (REQUIRED_K_MULTIPLE > 1 && args->k % REQUIRED_K_MULTIPLE) return PYC_STATUS_UNSUPPORTED;
#endif
  const cudaStream_t on = static_cast<cudaStream_t>(stream);
#ifdef FAULT_WRONG_LATER
  count_call<<<1, 1, 0, on>>>();
#endif
  const dim3 grid(static_cast<unsigned>((args->n + kTile - 1) / kTile),
                  static_cast<unsigned>((args->m + kTile - 1) / kTile));
  gemm_kernel<<<grid, kThreads, 0, on>>>(*args);
#ifdef FAULT_SYNCHRONISES
  cudaStreamSynchronize(on);
#endif
  return cudaGetLastError() == cudaSuccess ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
}
