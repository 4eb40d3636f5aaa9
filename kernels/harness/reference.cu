// Data path: a block of 256 threads owns 128 x 128 of the product and walks k in steps of 8. Per step the block
// computes its 128 x 8 elements of A and 8 x 128 of B from their patterns into shared memory as fp64; each thread then
// adds eight outer products of 8 + 8 values in registers. A thread's rows and columns lie in pairs 32 and 64 apart, so
// that a warp reads each line of shared memory once. The next step's elements are computed into the other half of the
// buffer, hence one barrier per step.
#include "fatal.h"
#include "reference.h"

namespace pyc::harness {
namespace {

constexpr int kTile = 128, kStep = 8, kThreads = 256;

struct Step {
  double a[kStep][kTile];
  double b[kStep][kTile];
};

__device__ void produce(Step &step, const Pattern &a, const Pattern &b, int64_t row0, int64_t column0, int64_t l0,
                        int64_t m, int64_t n, int64_t k) {
#pragma unroll
  for (int i = threadIdx.x; i < kTile * kStep; i += kThreads) {
    const int tile = i % kTile, l = i / kTile;
    const bool valid = l0 + l < k;
    step.a[l][tile] = valid && row0 + tile < m ? pattern_value(a, row0 + tile, l0 + l) : 0.0;
    step.b[l][tile] = valid && column0 + tile < n ? pattern_value(b, l0 + l, column0 + tile) : 0.0;
  }
}

// The place in the tile of a thread's i-th value: pairs, `stride` apart.
__device__ int place(int lane, int i, int stride) { return (i / 2) * stride + lane * 2 + i % 2; }

__global__ void __launch_bounds__(kThreads)
    product_kernel(double *product, Pattern a, Pattern b, int64_t m, int64_t n, int64_t k) {
  __shared__ Step steps[2];
  const int64_t block_columns = (n + kTile - 1) / kTile;
  const int64_t row0 = blockIdx.x / block_columns * kTile, column0 = blockIdx.x % block_columns * kTile;
  const int row_lane = threadIdx.x / 16, column_lane = threadIdx.x % 16;
  double sum[8][8] = {};
  produce(steps[0], a, b, row0, column0, 0, m, n, k);
  __syncthreads();
  for (int64_t l0 = 0; l0 < k; l0 += kStep) {
    const int now = (l0 / kStep) % 2;
    if (l0 + kStep < k) produce(steps[now ^ 1], a, b, row0, column0, l0 + kStep, m, n, k);
#pragma unroll
    for (int l = 0; l < kStep; ++l) {
      double left[8], right[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) left[i] = steps[now].a[l][place(row_lane, i, 32)];
#pragma unroll
      for (int j = 0; j < 8; ++j) right[j] = steps[now].b[l][place(column_lane, j, 32)];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fma(left[i], right[j], sum[i][j]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int64_t row = row0 + place(row_lane, i, 32), column = column0 + place(column_lane, j, 32);
      if (row < m && column < n) product[row * n + column] = sum[i][j];
    }
  }
}

}  // namespace

void reference_product(double *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                       cudaStream_t stream) {
  const int64_t blocks = ((m + kTile - 1) / kTile) * ((n + kTile - 1) / kTile);
  product_kernel<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(product, a, b, m, n, k);
  PYC_CUDA_LAUNCHED();
}

}  // namespace pyc::harness
