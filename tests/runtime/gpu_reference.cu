// One warp computes one element in fp64: its lanes take every 32nd step of k. C's gaps are compared by one thread per
// element of its memory.
#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include "gpu_reference.h"

namespace {

constexpr int kThreads = 256, kBlocks = 4096;
constexpr int64_t kMaxSamples = int64_t(1) << 16, kEdgeSamples = 4096;

__device__ uint32_t mix(uint64_t x) {  // the finaliser of splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return uint32_t(x >> 32 ^ x);
}

__device__ float uniform(uint32_t seed, int64_t index) {
  return float(int32_t(mix(uint64_t(seed) << 48 ^ uint64_t(index)))) * 0x1p-31f;
}

__device__ void store(float *to, float value) { *to = value; }
__device__ void store(__half *to, float value) { *to = __float2half_rn(value); }
__device__ void store(__nv_bfloat16 *to, float value) { *to = __float2bfloat16_rn(value); }
__device__ double load(const float *from) { return *from; }
__device__ double load(const __half *from) { return __half2float(*from); }
__device__ double load(const __nv_bfloat16 *from) { return __bfloat162float(*from); }

template <typename T>
__device__ T value_before(uint32_t seed, int64_t index) {
  T value;
  if (seed == 0) {
    memset(&value, 0xff, sizeof value);
  } else {
    store(&value, uniform(seed, index));
  }
  return value;
}

template <typename T>
__device__ bool same_bits(const T &x, const T &y) {
  const auto *const p = reinterpret_cast<const uint16_t *>(&x), *const q = reinterpret_cast<const uint16_t *>(&y);
  return p[0] == q[0] && (sizeof(T) == 2 || p[sizeof(T) / 2 - 1] == q[sizeof(T) / 2 - 1]);
}

__device__ void rounding_of(const float *, double *relative, double *least) { *relative = 0x1p-24, *least = 0x1p-150; }
__device__ void rounding_of(const __half *, double *relative, double *least) { *relative = 0x1p-11, *least = 0x1p-25; }
__device__ void rounding_of(const __nv_bfloat16 *, double *relative, double *least) {
  *relative = 0x1p-8, *least = 0x1p-134;
}

struct Place {
  int64_t batch, row, column;
};

__device__ Place sample(const pyc_gemm_desc &d, int64_t s, int64_t samples) {
  const int64_t all = d.batch_count * d.m * d.n;
  if (samples == all) return {s / (d.m * d.n), s / d.n % d.m, s % d.n};
  const uint64_t random = uint64_t(mix(2 * s)) << 32 | mix(2 * s + 1);
  Place place = {int64_t(random % d.batch_count), int64_t(random / 7 % d.m), int64_t(random / 13 % d.n)};
  if (s < kEdgeSamples) (s % 2 == 0 ? place.row : place.column) = s % 2 == 0 ? d.m - 1 : d.n - 1;
  return place;
}

template <typename T>
__global__ void fill(T *memory, int64_t count, uint32_t seed) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    store(memory + i, uniform(seed, i));
  }
}

template <typename T>
__global__ void check_samples(Product p, int64_t samples, Findings *findings) {
  const pyc_gemm_desc &d = p.desc;
  const bool a_transposed = d.layout == PYC_LAYOUT_TN || d.layout == PYC_LAYOUT_TT;
  const bool b_transposed = d.layout == PYC_LAYOUT_NT || d.layout == PYC_LAYOUT_TT;
  const int lane = threadIdx.x % 32;
  const int64_t warps = int64_t(gridDim.x) * blockDim.x / 32;
  for (int64_t s = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32; s < samples; s += warps) {
    const Place at = sample(d, s, samples);
    const T *const a = static_cast<const T *>(p.a) + at.batch * d.stride_a + at.row * (a_transposed ? 1 : d.lda);
    const T *const b = static_cast<const T *>(p.b) + at.batch * d.stride_b + at.column * (b_transposed ? d.ldb : 1);
    double sum = 0.0, magnitude = 0.0;
    for (int64_t k = lane; k < d.k; k += 32) {
      const double product = load(a + k * (a_transposed ? d.lda : 1)) * load(b + k * (b_transposed ? 1 : d.ldb));
      sum += product;
      magnitude += fabs(product);
    }
    for (int other = 16; other > 0; other /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, other);
      magnitude += __shfl_xor_sync(0xffffffffu, magnitude, other);
    }
    if (lane != 0) continue;
    const int64_t index = at.batch * d.stride_c + at.row * d.ldc + at.column;
    const T before = value_before<T>(p.c_seed, index);
    const double old = p.beta == 0.0f ? 0.0 : p.beta * load(&before);
    const double expected = p.alpha * sum + old, got = load(static_cast<const T *>(p.c) + index);
    double relative, least;
    rounding_of(&before, &relative, &least);
    const double in_fp32 = (sqrt(double(d.k)) + 8.0) * 0x1p-23 * (fabs(p.alpha) * magnitude + fabs(old));
    const double bound = in_fp32 + relative * (fabs(expected) + in_fp32) + least;
    if (fabs(got - expected) <= bound) continue;
    if (atomicAdd(reinterpret_cast<unsigned long long *>(&findings->wrong), 1ull) > 0) continue;
    findings->batch = at.batch, findings->row = at.row, findings->column = at.column;
    findings->expected = expected, findings->got = got;
  }
}

// Whether the element of C's memory belongs to a matrix.
__device__ bool is_inside(const pyc_gemm_desc &d, int64_t index) {
  if (d.batch_count > 1 && (d.batch_count - 1) * d.stride_c + d.n <= d.ldc) {  // the rows of the batch side by side
    const int64_t in_row = index % d.ldc;
    return in_row / d.stride_c < d.batch_count && in_row % d.stride_c < d.n;
  }
  const int64_t batch = d.batch_count > 1 ? min(index / d.stride_c, d.batch_count - 1) : 0;
  const int64_t in_matrix = index - batch * d.stride_c;
  return in_matrix / d.ldc < d.m && in_matrix % d.ldc < d.n;
}

template <typename T>
__global__ void check_memory(Product p, int64_t span, Findings *findings) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < span; i += step) {
    const T got = static_cast<const T *>(p.c)[i];
    if (is_inside(p.desc, i)) {
      if (isnan(load(&got))) atomicAdd(reinterpret_cast<unsigned long long *>(&findings->unwritten), 1ull);
    } else if (!same_bits(got, value_before<T>(p.c_seed, i))) {
      atomicAdd(reinterpret_cast<unsigned long long *>(&findings->spilt), 1ull);
    }
  }
}

template <typename T>
void launch_checks(const Product &product, int64_t samples, Findings *findings) {
  const pyc_gemm_desc &d = product.desc;
  const int64_t span = (d.batch_count - 1) * d.stride_c + (d.m - 1) * d.ldc + d.n;
  check_samples<T><<<kBlocks, kThreads>>>(product, samples, findings);
  check_memory<T><<<kBlocks, kThreads>>>(product, span, findings);
}

}  // namespace

int fill_uniform(int32_t dtype, void *memory, int64_t count, uint32_t seed) {
  if (dtype == PYC_DTYPE_FP16) {
    fill<<<kBlocks, kThreads>>>(static_cast<__half *>(memory), count, seed);
  } else if (dtype == PYC_DTYPE_BF16) {
    fill<<<kBlocks, kThreads>>>(static_cast<__nv_bfloat16 *>(memory), count, seed);
  } else {
    fill<<<kBlocks, kThreads>>>(static_cast<float *>(memory), count, seed);
  }
  return cudaGetLastError();
}

int check_product(const Product &product, Findings *findings) {
  const pyc_gemm_desc &d = product.desc;
  const int64_t samples = std::min(d.batch_count * d.m * d.n, kMaxSamples);
  Findings *on_device = nullptr;
  if (const cudaError_t error = cudaMalloc(&on_device, sizeof(Findings))) return error;
  cudaMemset(on_device, 0, sizeof(Findings));
  if (d.dtype == PYC_DTYPE_FP16) {
    launch_checks<__half>(product, samples, on_device);
  } else if (d.dtype == PYC_DTYPE_BF16) {
    launch_checks<__nv_bfloat16>(product, samples, on_device);
  } else {
    launch_checks<float>(product, samples, on_device);
  }
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(findings, on_device, sizeof(Findings), cudaMemcpyDeviceToHost);
  findings->checked = uint64_t(samples);
  cudaFree(on_device);
  return error;
}
