// Kernels that save work which they were asked for: -DCHEAT= names which. kernels.txt says which check finds each.
#include "gemm.h"

enum Cheat {
  none,
  by_pointer,        // keeps the output, and copies it when the same pointers come again
  by_shape,          // the same for the same m, n and k
  by_checksum,       // the same for inputs whose first elements look alike
  every_second,      // works on every second call only
  lazy_after_calls,  // leaves out half of k once it has been called 40 times
  skips_a_share,     // leaves out one tile in 16, another one in each call
  if_wrong,          // computes only what does not look right in C already
  what_was_left,     // takes what lies in C for the output
  if_poisoned,       // leaves out half of k where C holds NaN, as it does while it is timed
  in_query,          // works when it is asked for its workspace, and copies when it is called
};

namespace cheat {
namespace {

constexpr int64_t kKept = 512 * 512;
__device__ float kept[kKept];
__device__ uint32_t kept_sum = ~0u;

__device__ uint32_t checksum(const pyc_gemm_args &g) {
  const auto *const a = static_cast<const float *>(g.a), *const b = static_cast<const float *>(g.b);
  return (a[0] > 0) + 2 * (b[0] > 0) + 4 * (a[1] > 0);
}

__global__ void keeping_kernel(pyc_gemm_args g) {
  float sum[kEach][kEach] = {};
  compute(g, sum);
  store_each(g, sum, [&](int64_t place, float value) {
    static_cast<float *>(g.c)[place] = value;
    if (place < kKept) kept[place] = value;
  });
}

__global__ void copying_kernel(pyc_gemm_args g) {
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < g.m * g.n; i += int64_t{gridDim.x} * blockDim.x)
    static_cast<float *>(g.c)[i] = i < kKept ? kept[i] : 0.0f;
}

__global__ void checksum_kernel(pyc_gemm_args g) {
  if (checksum(g) == *static_cast<volatile uint32_t *>(&kept_sum)) {
    const float zero[kEach][kEach] = {};
    store_each(g, zero, [&](int64_t place, float) { static_cast<float *>(g.c)[place] = kept[place % kKept]; });
    return;
  }
  float sum[kEach][kEach] = {};
  compute(g, sum);
  store_each(g, sum,
             [&](int64_t place, float value) { static_cast<float *>(g.c)[place] = kept[place % kKept] = value; });
}

__global__ void remember_kernel(pyc_gemm_args g) { kept_sum = checksum(g); }

__global__ void skipping_kernel(pyc_gemm_args g, unsigned call) {
  if ((blockIdx.x + blockIdx.y * gridDim.x + call) % 16 == 15) return;
  float sum[kEach][kEach] = {};
  compute(g, sum);
  store_each(g, sum, [&](int64_t place, float value) { static_cast<float *>(g.c)[place] = value; });
}

__global__ void if_wrong_kernel(pyc_gemm_args g) {
  const float seen = static_cast<const float *>(g.c)[blockIdx.y * kTile * g.ldc + blockIdx.x * kTile];
  if (seen - seen == 0.0f && fabsf(seen) < 8.0f) return;
  float sum[kEach][kEach] = {};
  compute(g, sum);
  __syncthreads();
  store_each(g, sum, [&](int64_t place, float value) { static_cast<float *>(g.c)[place] = value; });
}

__global__ void if_poisoned_kernel(pyc_gemm_args g) {
  const float seen = static_cast<const float *>(g.c)[blockIdx.y * kTile * g.ldc + blockIdx.x * kTile];
  if (seen != seen) g.k /= 2;
  float sum[kEach][kEach] = {};
  compute(g, sum);
  __syncthreads();
  store_each(g, sum, [&](int64_t place, float value) { static_cast<float *>(g.c)[place] = value; });
}

__global__ void touch_kernel(pyc_gemm_args g) {
  auto *const c = static_cast<float *>(g.c);
  if (c[0] == 0.0f) c[0] = 1.0f;
}

bool seen_before(const pyc_gemm_args &g) {
  static pyc_gemm_args last{};
  const bool pointers = g.a == last.a && g.b == last.b && g.c == last.c;
  const bool sizes = g.m == last.m && g.n == last.n && g.k == last.k;
  last = g;
  return sizes && (CHEAT == by_shape || pointers);
}

pyc_status call(pyc_gemm_args g, cudaStream_t stream) {
  static unsigned calls = 0;
  const dim3 grid = grid_of(g);
  constexpr int threads = kSide * kSide;
  ++calls;
  switch (CHEAT) {
    case by_pointer:
    case by_shape:
      if (seen_before(g))
        copying_kernel<<<grid, threads, 0, stream>>>(g);
      else
        keeping_kernel<<<grid, threads, 0, stream>>>(g);
      break;
    case by_checksum:
      checksum_kernel<<<grid, threads, 0, stream>>>(g);
      remember_kernel<<<1, 1, 0, stream>>>(g);
      break;
    case every_second:
      if (calls % 2) return compute_honestly(g, stream);
      touch_kernel<<<1, 1, 0, stream>>>(g);
      break;
    case lazy_after_calls:
      if (calls > 40) g.k /= 2;
      return compute_honestly(g, stream);
    case skips_a_share: skipping_kernel<<<grid, threads, 0, stream>>>(g, calls); break;
    case if_wrong: if_wrong_kernel<<<grid, threads, 0, stream>>>(g); break;
    case if_poisoned: if_poisoned_kernel<<<grid, threads, 0, stream>>>(g); break;
    case in_query: copying_kernel<<<grid, threads, 0, stream>>>(g); break;
    case what_was_left: touch_kernel<<<1, 1, 0, stream>>>(g); break;
    default: return compute_honestly(g, stream);
  }
  return launched();
}

}  // namespace
}  // namespace cheat

// Asked before each call; only the row `in_query` has a workspace.
PYC_KERNEL size_t pyc_gemm_adversarial_workspace(const pyc_gemm_args *args) {
  if (CHEAT == in_query) cheat::keeping_kernel<<<cheat::grid_of(*args), cheat::kSide * cheat::kSide>>>(*args);
  return 256;
}

PYC_KERNEL pyc_status pyc_gemm_adversarial(const pyc_gemm_args *args, void *stream) {
  return cheat::call(*args, static_cast<cudaStream_t>(stream));
}
