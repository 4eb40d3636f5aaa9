// Data path: a block of 256 threads owns 128 x 128 of the product and walks k in steps of 8. Per step the block
// computes its 128 x 8 elements of A and 8 x 128 of B from their patterns into shared memory; each thread then
// adds eight outer products of 8 + 8 values in registers. A thread's rows and columns lie in pairs 32 and 64 apart, so
// that a warp reads each line of shared memory once. The next step's elements are computed into the other half of the
// buffer, hence one barrier per step.
#include "fatal.h"
#include "reference.h"

namespace pyc::harness {
namespace {

constexpr int kTile = 128, kStep = 8, kThreads = 256;

// One for each kind of product: the type to sum in, and the element as a number of it.
struct Random {
  using Sum = double;
  static __device__ double value(const Pattern &p, int64_t i, int64_t j) { return random_value(p, i, j); }
  static __device__ double add(double left, double right, double sum) { return fma(left, right, sum); }
};

struct Special {
  using Sum = double;
  static __device__ double value(const Pattern &p, int64_t i, int64_t j) { return pattern_value(p, i, j); }
  static __device__ double add(double left, double right, double sum) { return fma(left, right, sum); }
};

struct Whole {
  using Sum = int32_t;
  static __device__ int32_t value(const Pattern &p, int64_t i, int64_t j) { return whole_value(p, i, j); }
  static __device__ int32_t add(int32_t left, int32_t right, int32_t sum) { return left * right + sum; }
};

template <class Sum>
struct Step {
  Sum a[kStep][kTile];
  Sum b[kStep][kTile];
};

template <class Kind>
__device__ void produce(Step<typename Kind::Sum> &step, const Pattern &a, const Pattern &b, int64_t row0,
                        int64_t column0, int64_t l0, int64_t m, int64_t n, int64_t k) {
#pragma unroll
  for (int i = threadIdx.x; i < kTile * kStep; i += kThreads) {
    const int tile = i % kTile, l = i / kTile;
    const bool valid = l0 + l < k;
    step.a[l][tile] = valid && row0 + tile < m ? Kind::value(a, row0 + tile, l0 + l) : 0;
    step.b[l][tile] = valid && column0 + tile < n ? Kind::value(b, l0 + l, column0 + tile) : 0;
  }
}

// The place in the tile of a thread's i-th value: pairs, `stride` apart.
__device__ int place(int lane, int i, int stride) { return (i / 2) * stride + lane * 2 + i % 2; }

template <class Kind>
__global__ void __launch_bounds__(kThreads)
    product_kernel(typename Kind::Sum *product, Pattern a, Pattern b, int64_t m, int64_t n, int64_t k) {
  using Sum = typename Kind::Sum;
  __shared__ Step<Sum> steps[2];
  const int64_t block_columns = (n + kTile - 1) / kTile;
  const int64_t row0 = blockIdx.x / block_columns * kTile, column0 = blockIdx.x % block_columns * kTile;
  const int row_lane = threadIdx.x / 16, column_lane = threadIdx.x % 16;
  Sum sum[8][8] = {};
  produce<Kind>(steps[0], a, b, row0, column0, 0, m, n, k);
  __syncthreads();
  for (int64_t l0 = 0; l0 < k; l0 += kStep) {
    const int now = (l0 / kStep) % 2;
    if (l0 + kStep < k) produce<Kind>(steps[now ^ 1], a, b, row0, column0, l0 + kStep, m, n, k);
#pragma unroll
    for (int l = 0; l < kStep; ++l) {
      Sum left[8], right[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) left[i] = steps[now].a[l][place(row_lane, i, 32)];
#pragma unroll
      for (int j = 0; j < 8; ++j) right[j] = steps[now].b[l][place(column_lane, j, 32)];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = Kind::add(left[i], right[j], sum[i][j]);
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

template <class Kind>
void launch_product(typename Kind::Sum *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                    cudaStream_t stream) {
  const int64_t blocks = ((m + kTile - 1) / kTile) * ((n + kTile - 1) / kTile);
  product_kernel<Kind><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(product, a, b, m, n, k);
  PYC_CUDA_LAUNCHED();
}

}  // namespace

void reference_product(double *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                       cudaStream_t stream) {
  launch_product<Random>(product, a, b, m, n, k, stream);
}

void reference_special_product(double *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                               cudaStream_t stream) {
  launch_product<Special>(product, a, b, m, n, k, stream);
}

void reference_whole_product(int32_t *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                             cudaStream_t stream) {
  launch_product<Whole>(product, a, b, m, n, k, stream);
}

}  // namespace pyc::harness
