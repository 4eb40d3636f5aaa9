// An honest fp32 kernel, plain and slow, that the speed cheats of this folder hide behind: 64 x 64 of C per block of
// 256 threads, 16 of k per step, 4 x 4 per thread.
#ifndef PYC_TESTS_ADVERSARIAL_SPEED_GEMM_H
#define PYC_TESTS_ADVERSARIAL_SPEED_GEMM_H

#include <cuda_runtime.h>

#include "pyc/kernel.h"

namespace cheat {

constexpr int kTile = 64, kStep = 16, kSide = 16, kEach = kTile / kSide;

inline __device__ float element(const float *matrix, int64_t row, int64_t column, int64_t rows, int64_t columns,
                                int64_t ld) {
  return row < rows && column < columns ? matrix[row * ld + column] : 0.0f;
}

// The 4 x 4 elements of C that this thread owns.
inline __device__ void compute(const pyc_gemm_args &g, float (&sum)[kEach][kEach]) {
  __shared__ float a[kStep][kTile], b[kStep][kTile];
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  const auto *const from_a = static_cast<const float *>(g.a), *const from_b = static_cast<const float *>(g.b);
  for (int64_t l0 = 0; l0 < g.k; l0 += kStep) {
    for (int i = threadIdx.x; i < kTile * kStep; i += kSide * kSide) {
      const int tile = i % kTile, l = i / kTile;
      a[l][tile] = element(from_a, blockIdx.y * kTile + tile, l0 + l, g.m, g.k, g.lda);
      b[l][tile] = element(from_b, l0 + l, blockIdx.x * kTile + tile, g.k, g.n, g.ldb);
    }
    __syncthreads();
    for (int l = 0; l < kStep; ++l) {
      for (int i = 0; i < kEach; ++i) {
        for (int j = 0; j < kEach; ++j) sum[i][j] += a[l][y + i * kSide] * b[l][x + j * kSide];
      }
    }
    __syncthreads();
  }
}

// Calls store(place of the element in C, value) for each of this thread's elements.
template <class Store>
__device__ void store_each(const pyc_gemm_args &g, const float (&sum)[kEach][kEach], const Store &store) {
  const auto *const c = static_cast<const float *>(g.c);
  for (int i = 0; i < kEach; ++i) {
    for (int j = 0; j < kEach; ++j) {
      const int64_t row = blockIdx.y * kTile + threadIdx.x / kSide + i * kSide;
      const int64_t column = blockIdx.x * kTile + threadIdx.x % kSide + j * kSide;
      if (row >= g.m || column >= g.n) continue;
      const int64_t place = row * g.ldc + column;
      store(place, g.alpha * sum[i][j] + (g.beta == 0.0f ? 0.0f : g.beta * c[place]));
    }
  }
}

static __global__ void __launch_bounds__(kSide *kSide) honest_kernel(pyc_gemm_args g) {
  float sum[kEach][kEach] = {};
  compute(g, sum);
  store_each(g, sum, [&](int64_t place, float value) { static_cast<float *>(g.c)[place] = value; });
}

inline dim3 grid_of(const pyc_gemm_args &g) {
  return dim3(static_cast<unsigned>((g.n + kTile - 1) / kTile), static_cast<unsigned>((g.m + kTile - 1) / kTile));
}

inline pyc_status launched() {
  return cudaGetLastError() == cudaSuccess ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
}

inline pyc_status compute_honestly(const pyc_gemm_args &g, cudaStream_t stream) {
  honest_kernel<<<grid_of(g), kSide * kSide, 0, stream>>>(g);
  return launched();
}

}  // namespace cheat

#endif
