// One plain tiled kernel, right for every shape, dtype, layout, leading dimension, alpha and beta, and all the kernels
// that are it with one defect (defects.h).
//
// A block of 256 threads owns 64 x 64 of C and walks k in steps of 16 through shared memory; each thread holds 4 x 4.
// With SPLITS > 1 the blocks of grid.z sum parts of k into an fp32 workspace, and a second kernel adds the parts.
//
//   -DDEFECT=NAME -DELEMENT=float|__half|__nv_bfloat16 -DA_TRANSPOSED=0|1 -DB_TRANSPOSED=0|1 -DSPLITS=N -DK_MULTIPLE=N
//   -DROUNDS_BEFORE_C=1: alpha*A*B is rounded to the element type before beta*C is added, as cuBLAS does
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "defects.h"
#include "pyc/kernel.h"

#ifndef ELEMENT
#define ELEMENT float
#endif
#ifndef A_TRANSPOSED
#define A_TRANSPOSED 0
#endif
#ifndef B_TRANSPOSED
#define B_TRANSPOSED 0
#endif
#ifndef SPLITS
#define SPLITS 1
#endif
#ifndef K_MULTIPLE
#define K_MULTIPLE 1
#endif
#ifndef ROUNDS_BEFORE_C
#define ROUNDS_BEFORE_C 0
#endif

namespace {

using Element = ELEMENT;
using D = Defect;
constexpr int kTile = 64, kStep = 16, kThreads = 256, kSplits = SPLITS;
constexpr int64_t kScratch = 512 * 512;

__device__ float scratch[is(D::global_scratch) ? kScratch : 1];
__device__ Element frozen_b[is(D::freezes_b_under_capture) ? kScratch : 1];
__device__ int calls;
__device__ int64_t last_k;

// ---- numbers --------------------------------------------------------------------------------------------------------

__device__ float to_float(float x) { return x; }
__device__ float to_float(__half x) { return __half2float(x); }
__device__ float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

template <class T>
__device__ T from_float(float x);
template <>
__device__ float from_float(float x) {
  return x;
}
template <>
__device__ __half from_float(float x) {
  return is(D::truncates_output) ? __float2half_rz(x) : __float2half_rn(x);
}
template <>
__device__ __nv_bfloat16 from_float(float x) {
  return is(D::truncates_output) ? __float2bfloat16_rz(x) : __float2bfloat16_rn(x);
}

__device__ float bf16(float x) { return __bfloat162float(__float2bfloat16_rn(x)); }
__device__ float fp16(float x) { return __half2float(__float2half_rn(x)); }
__device__ float in_element_type(float x) { return to_float(from_float<Element>(x)); }
__device__ float tf32(float x) { return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u); }

__device__ float input(float x) {
  if (is(D::tf32_inputs)) return tf32(x);
  if (is(D::bf16_inputs)) return bf16(x);
  if (is(D::flushes_fp16) && fabsf(x) < 0x1p-14f) return 0.0f;
  if (is(D::flushes_subnormals) && fabsf(x) < 0x1p-126f) return 0.0f;
  return x;
}

// a * b to the last bit or so from bf16 products, as a tensor core could make them.
__device__ float product_of_planes(float a, float b) {
  if (!isfinite(a) || !isfinite(b)) return a * b;
  const float a0 = bf16(a), a1 = bf16(a - a0), a2 = bf16(a - a0 - a1);
  const float b0 = bf16(b), b1 = bf16(b - b0), b2 = bf16(b - b0 - b1);
  const float least = fmaf(a0, b2, fmaf(a1, b1, a2 * b0));
  return fmaf(a0, b0, fmaf(a0, b1, fmaf(a1, b0, least)));
}

// sum + a * b
__device__ float add_term(float sum, float a, float b) {
  if (is(D::skips_zeros) && a == 0.0f) return sum;
  if (is(D::bf16x3)) {
    const float a0 = bf16(a), a1 = bf16(a - a0), b0 = bf16(b), b1 = bf16(b - b0);
    return fmaf(a0, b0, fmaf(a0, b1, fmaf(a1, b0, sum)));
  }
  if (is(D::bf16x6)) return sum + product_of_planes(a, b);
  const float next = fmaf(a, b, sum);
  if (is(D::accumulates_in_fp16)) return fp16(next);
  if (is(D::accumulates_in_bf16)) return bf16(next);
  return next;
}

// ---- operands -------------------------------------------------------------------------------------------------------

__device__ int64_t at(int64_t row, int64_t column, int64_t ld) {
  if (is(D::offset_in_32_bits))
    return static_cast<int>(static_cast<unsigned>(row) * static_cast<unsigned>(ld)) + column;
  if (is(D::bytes_in_32_bits)) {
    const unsigned bytes = static_cast<unsigned>(row * ld + column) * static_cast<unsigned>(sizeof(Element));
    return bytes / sizeof(Element);
  }
  return row * ld + column;
}

template <class T>
__device__ T *pointer(T *p) {
  return is(D::rounds_pointers_down) ? reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(p) & ~uintptr_t{15}) : p;
}

__device__ float element_a(const pyc_gemm_args &g, int64_t i, int64_t l) {
  const Element *const a = pointer(static_cast<const Element *>(g.a));
  bool transposed = A_TRANSPOSED;
  if (is(D::transposes_square_a) && g.m == g.k) transposed = !transposed;
  const int64_t ld = is(D::lda_packed) ? (transposed ? g.m : g.k) : g.lda;
  if (is(D::vectors_unaligned) && ld % 4 == 0) {
    const int64_t index = transposed ? at(l, i, ld) : at(i, l, ld);
    const float4 four = *reinterpret_cast<const float4 *>(a + index / 4 * 4);
    return index % 4 == 0 ? four.x : index % 4 == 1 ? four.y : index % 4 == 2 ? four.z : four.w;
  }
  return input(to_float(transposed ? a[at(l, i, ld)] : a[at(i, l, ld)]));
}

__device__ float element_b(const pyc_gemm_args &g, int64_t l, int64_t j) {
  const Element *const b = pointer(static_cast<const Element *>(g.b));
  constexpr bool kTransposed = is(D::wrong_layout) ? !B_TRANSPOSED : B_TRANSPOSED;
  const int64_t ld = is(D::ldb_packed) ? (kTransposed ? g.k : g.n) : g.ldb;
  return input(to_float(kTransposed ? b[at(j, l, ld)] : b[at(l, j, ld)]));
}

// ---- the result -----------------------------------------------------------------------------------------------------

__device__ float scaled(const pyc_gemm_args &g, float sum, Element old) {
  float alpha = is(D::ignores_alpha) ? 1.0f : g.alpha, beta = is(D::ignores_beta) ? 0.0f : g.beta;
  if (is(D::alpha_in_element_type)) alpha = sizeof(Element) == 4 ? bf16(alpha) : in_element_type(alpha);
  if (is(D::rounds_before_alpha)) sum = in_element_type(sum);
  if (is(D::beta_twice)) beta *= beta;
  if (is(D::beta_only_one) && beta != 0.0f) beta = 1.0f;
  if (is(D::reads_c_at_beta_zero)) return alpha * sum + beta * to_float(old);
  if (beta == 0.0f) return alpha * sum;
  if (is(D::alpha_on_c_too)) return alpha * fmaf(beta, to_float(old), sum);
  return fmaf(beta, to_float(old), ROUNDS_BEFORE_C ? in_element_type(alpha * sum) : alpha * sum);
}

__device__ float spoiled(const pyc_gemm_args &g, float value) {
  if (is(D::zeros)) return 0.0f;
  if (is(D::tiny_values)) return 1e-3f * value;
  if (is(D::nan_everywhere)) return nanf("");
  if (is(D::stores_tf32)) return tf32(value);
  if (is(D::nan_to_zero) && value != value) return 0.0f;
  if (is(D::flushes_fp16_results) && fabsf(value) < 0x1p-14f) return 0.0f;
  if (is(D::flushes_subnormals) && fabsf(value) < 0x1p-126f) return 0.0f;
  if (is(D::other_zeros_and_nans) && value == 0.0f) return -value;
  if (is(D::other_zeros_and_nans) && value != value) return __uint_as_float(0xffd23456u);
  if (is(D::clamps_infinity) && isinf(value)) return copysignf(3e38f, value);
  if (is(D::wrong_at_call_11) && calls == 11) return value + 1.0f;
  if (is(D::wrong_at_second_call) && calls > 1) return value + 1.0f;
  if (is(D::wrong_when_large) && g.m * g.n >= int64_t{1} << 22) return value + 1.0f;
  if (is(D::wrong_when_one_row) && g.m == 1) return value + 1.0f;
  if (is(D::wrong_when_wide) && g.m > 1 && g.n >= 16 * g.m) return value + 1.0f;
  return value;
}

__device__ bool skipped(const pyc_gemm_args &g, int64_t i, int64_t j) {
  if (is(D::skips_last_row)) return i == g.m - 1;
  if (is(D::skips_last_column)) return j == g.n - 1;
  if (is(D::skips_edge_rows)) return i >= g.m / kTile * kTile;
  if (is(D::leaves_a_tile)) return i / kTile == (g.m - 1) / kTile && j / kTile == (g.n - 1) / kTile;
  return false;
}

__device__ void touch(const Element *p) {
  const volatile unsigned short *const word = reinterpret_cast<const volatile unsigned short *>(p);
  if (*word == 0x1234u && threadIdx.x == 9999u) __trap();
}

// What goes wrong in memory beside the result; called once for each element of C.
__device__ void stray(const pyc_gemm_args &g, int64_t i, int64_t j, Element *c) {
  const bool first = i == 0 && j == 0, last = i == g.m - 1 && j == g.n - 1;
  if (is(D::writes_behind) && last) c[1] = from_float<Element>(0.5f);
  if (is(D::writes_before) && first) c[-1] = from_float<Element>(0.5f);
  if (is(D::writes_padding) && j == g.n - 1 && g.ldc > g.n) c[1] = from_float<Element>(0.5f);
  if (is(D::writes_edge_tile) && j == g.n - 1 && i < g.m - 1)
    for (int64_t over = 1; j + over < g.ldc; ++over) c[over] = from_float<Element>(0.0f);
  if (is(D::changes_a) && first) *static_cast<unsigned short *>(const_cast<void *>(g.a)) ^= 1u;
  if (is(D::scales_b) && first) {
    Element *const b = static_cast<Element *>(const_cast<void *>(g.b));
    b[0] = from_float<Element>(to_float(b[0]) * 1.5f);
  }
  const int64_t a_rows = A_TRANSPOSED ? g.k : g.m, a_columns = A_TRANSPOSED ? g.m : g.k;
  if (is(D::reads_behind) && last) touch(static_cast<const Element *>(g.a) + (a_rows - 1) * g.lda + a_columns + 64);
  if (is(D::reads_before) && first) touch(static_cast<const Element *>(g.b) - 64);
  if (is(D::reads_c_behind) && last) touch(c + 64);
}

__device__ void store(const pyc_gemm_args &g, int64_t i, int64_t j, float sum) {
  if (skipped(g, i, j)) return;
  const int64_t row = is(D::swaps_two_rows) && i < 2 && g.m > 1 ? 1 - i : i;
  const int64_t ldc = is(D::ldc_packed) ? g.n : g.ldc;
  Element *const c = static_cast<Element *>(g.c) + at(row, j, ldc);
  const bool reads = g.beta != 0.0f || is(D::reads_c_at_beta_zero);
  *c = from_float<Element>(spoiled(g, scaled(g, sum, reads ? *c : from_float<Element>(0.0f))));
  stray(g, i, j, c);
}

// ---- the kernel -----------------------------------------------------------------------------------------------------

__device__ float partial(float sum) {
  if (is(D::bf16_partial_sums)) return bf16(sum);
  if (is(D::fp16_partial_sums)) return fp16(sum);
  return sum;
}

__device__ void stray_in_workspace(float *parts, int64_t size) {
  if (is(D::workspace_overrun)) parts[size] = 0.5f;
  if (is(D::workspace_underrun)) parts[-1] = 0.5f;
  if (is(D::workspace_read_behind)) touch(reinterpret_cast<const Element *>(parts + size + 64));
}

__device__ void finish(const pyc_gemm_args &g, int64_t i, int64_t j, float sum) {
  if (i >= g.m || j >= g.n) return;
  if (kSplits > 1) {
    float *const parts = static_cast<float *>(g.workspace);
    if (is(D::expects_zeroed_workspace))
      atomicAdd(parts + i * g.n + j, sum);
    else
      parts[blockIdx.z * g.m * g.n + i * g.n + j] = partial(sum);
    if (i == 0 && j == 0) stray_in_workspace(parts, kSplits * g.m * g.n);
  } else if (is(D::global_scratch) && g.m * g.n <= kScratch) {
    scratch[i * g.n + j] = sum;
  } else {
    store(g, i, j, sum);
  }
}

// The k that are summed, [begin, end).
__device__ int64_t end_of_k(const pyc_gemm_args &g, int64_t end) {
  if (is(D::skips_k_remainder) && g.k > kStep) return end / kStep * kStep;
  if (is(D::drops_last_term) && g.k > 1) return end - 1;
  if (is(D::keeps_last_k) && last_k > 0) return last_k < end ? last_k : end;
  return end;
}

// How often the term l counts for an element.
__device__ int weight(const pyc_gemm_args &g, int64_t i, int64_t j, int64_t l) {
  if (is(D::drops_middle_term)) return l != g.k / 2;
  if (is(D::diagonal_only)) return l == i;
  if (is(D::adds_slice_twice)) return l < kStep && g.k > kStep ? 2 : 1;
  if (is(D::one_element_drops_a_term)) return !(i == g.m - 1 && j == g.n - 1 && l == g.k / 3);
  if (is(D::repeats_last_term)) return l == g.k - 1 && g.k % 2 ? 2 : 1;
  return 1;
}

// Holds the first warp up for some ten microseconds, far longer than a step takes the others: where a barrier lacks,
// the race is lost every time. Nothing is read or written across it.
__device__ void hold_first_warp() {
  if (threadIdx.x >= 32) return;
  for (const long long begin = clock64(); clock64() - begin < 20000;) continue;
  asm volatile("" ::: "memory");
}

__global__ void __launch_bounds__(kThreads) gemm(const __grid_constant__ pyc_gemm_args g) {
  __shared__ float a_tile[kStep][kTile + 1], b_tile[kStep][kTile + 1];
  __shared__ float unwritten[is(D::uninitialised_shared) ? 4096 : 1];
  const int64_t row0 = int64_t{blockIdx.y} * kTile, column0 = int64_t{blockIdx.x} * kTile;
  const int row_lane = threadIdx.x / 16, column_lane = threadIdx.x % 16;
  const int64_t steps = (g.k + kStep - 1) / kStep, per_split = (steps + kSplits - 1) / kSplits * kStep;
  const int64_t begin = blockIdx.z * per_split, limit = begin + per_split < g.k ? begin + per_split : g.k;
  const int64_t end = end_of_k(g, limit);
  float sum[4][4] = {};
  for (int64_t l0 = begin; l0 < end; l0 += kStep) {
    if (is(D::no_barrier_before)) hold_first_warp();
    for (int i = threadIdx.x; i < kTile * kStep; i += kThreads) {
      const int64_t row = row0 + i / kStep, l = l0 + i % kStep;
      const bool inside = row < g.m && (l < end || is(D::uses_what_lies_behind));
      a_tile[i % kStep][i / kStep] = inside ? element_a(g, row, l) : 0.0f;
      const int64_t b_row = l0 + i / kTile, column = column0 + i % kTile;
      b_tile[i / kTile][i % kTile] = b_row < end && column < g.n ? element_b(g, b_row, column) : 0.0f;
    }
    if (!is(D::no_barrier_before)) __syncthreads();
    if (is(D::no_barrier_behind)) hold_first_warp();
    for (int l = 0; l < kStep && (l0 + l < end || is(D::uses_what_lies_behind)); ++l) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          const float a = a_tile[l][row_lane + 16 * i], b = b_tile[l][column_lane + 16 * j];
          const int times = weight(g, row0 + row_lane + 16 * i, column0 + column_lane + 16 * j, l0 + l);
          for (int time = 0; time < times; ++time) sum[i][j] = add_term(sum[i][j], a, b);
        }
      }
    }
    if (!is(D::no_barrier_behind)) __syncthreads();
  }
  if (is(D::uninitialised_shared)) sum[0][0] += static_cast<volatile float *>(unwritten)[threadIdx.x * 16];
  if (is(D::spoils_row_of_nan) && sum[0][0] != sum[0][0]) sum[1][0] = sum[0][0];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) finish(g, row0 + row_lane + 16 * i, column0 + column_lane + 16 * j, sum[i][j]);
  }
}

__global__ void add_parts(const __grid_constant__ pyc_gemm_args g) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  const float *const parts = static_cast<const float *>(g.workspace);
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < g.m * g.n; i += step) {
    float sum = 0;
    for (int split = 0; split < (is(D::expects_zeroed_workspace) ? 1 : kSplits); ++split) {
      sum += parts[split * g.m * g.n + i];
    }
    if (is(D::workspace_used_behind) && i == 0) sum += 0.0f * parts[kSplits * g.m * g.n];
    store(g, i / g.n, i % g.n, sum);
  }
}

__global__ void store_scratch(const __grid_constant__ pyc_gemm_args g) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < g.m * g.n; i += step) {
    store(g, i / g.n, i % g.n, scratch[i]);
  }
}

__global__ void count_call() { ++calls; }
__global__ void remember_k(int64_t k) { last_k = k; }
__global__ void nothing() {}
__global__ void spin() {  // some milliseconds
  for (const long long begin = clock64(); clock64() - begin < 6'000'000;) continue;
}
__global__ void flip_first(const void *a) { *static_cast<unsigned short *>(const_cast<void *>(a)) ^= 1u; }
__global__ void zero_first(Element *c) { *c = from_float<Element>(0.0f); }

// ---- the launch -----------------------------------------------------------------------------------------------------

cudaStream_t stream_for_work(cudaStream_t given) {
  if (is(D::default_stream)) return cudaStreamLegacy;
  if (!is(D::own_stream)) return given;
  static cudaStream_t own = [] {
    cudaStream_t stream = nullptr;
    (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
  }();
  return own;
}

bool capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

bool same_as_last(const pyc_gemm_args &args) {
  static pyc_gemm_args last{};
  const bool same = std::memcmp(&last, &args, sizeof last) == 0;
  last = args;
  return same;
}

// What the host does beside the launch.
void misbehave(cudaStream_t on) {
  if (is(D::synchronises)) (void)cudaStreamSynchronize(on);
  if (is(D::hogs_default_stream)) spin<<<1, 1, 0, cudaStreamLegacy>>>();
  if (is(D::queries_stream) && cudaStreamQuery(on) == cudaErrorNotReady) (void)cudaGetLastError();
  if (!is(D::allocates)) return;
  void *memory = nullptr;
  (void)cudaMalloc(&memory, 1 << 20);
  (void)cudaFree(memory);
}

// A copy of B in a global; the graph reads the copy, and nothing refreshes it.
void freeze_b(pyc_gemm_args &g, cudaStream_t on) {
  void *copy = nullptr;
  const size_t bytes = static_cast<size_t>((B_TRANSPOSED ? g.n : g.k) * g.ldb) * sizeof(Element);
  if (bytes > kScratch * sizeof(Element) || cudaGetSymbolAddress(&copy, frozen_b) != cudaSuccess) return;
  if (!capturing(on)) (void)cudaMemcpyAsync(copy, g.b, bytes, cudaMemcpyDeviceToDevice, on);
  g.b = copy;
}

pyc_status refuse(const pyc_gemm_args &args, cudaStream_t on) {
  if (is(D::refuses_but_writes)) zero_first<<<1, 1, 0, on>>>(static_cast<Element *>(args.c));
  if (is(D::refuses_but_enqueues)) nothing<<<1, 1, 0, on>>>();
  if (is(D::refuses_but_strays)) flip_first<<<1, 1, 0, cudaStreamLegacy>>>(args.a);
  return PYC_STATUS_UNSUPPORTED;
}

pyc_status launch_failed() {
  if (is(D::launch_fails)) return PYC_STATUS_SUCCESS;
  const bool failed = cudaGetLastError() != cudaSuccess;
  return failed && !is(D::hides_failed_launch) ? PYC_STATUS_DEVICE_ERROR : PYC_STATUS_SUCCESS;
}

void swap_operands(pyc_gemm_args &g) {
  const void *const a = g.a;
  const int64_t lda = g.lda;
  g.a = g.b, g.lda = g.ldb, g.b = a, g.ldb = lda;
}

}  // namespace

PYC_KERNEL size_t pyc_gemm_adversarial_workspace(const pyc_gemm_args *args) {
  return static_cast<size_t>(kSplits * args->m * args->n) * sizeof(float);
}

PYC_KERNEL pyc_status pyc_gemm_adversarial(const pyc_gemm_args *args, void *stream) {
  pyc_gemm_args g = *args;
  const auto given = static_cast<cudaStream_t>(stream), on = stream_for_work(given);
  if (is(D::answers_error)) return PYC_STATUS_INTERNAL_ERROR;
  constexpr int kMultiple = is(D::accepts_unsupported) ? 1 : is(D::refuses_odd_only) ? 2 : K_MULTIPLE;
  if (g.k % kMultiple) return refuse(g, on);
  if (is(D::skips_repeated_call) && same_as_last(g)) return PYC_STATUS_SUCCESS;
  if (is(D::idle_under_capture) && capturing(given)) return PYC_STATUS_SUCCESS;
  if (is(D::swaps_square_operands) && g.m == g.n && g.n == g.k) swap_operands(g);
  if (is(D::freezes_b_under_capture)) freeze_b(g, on);
  if (is(D::wrong_at_call_11) || is(D::wrong_at_second_call)) count_call<<<1, 1, 0, on>>>();
  const dim3 grid(static_cast<unsigned>((g.n + kTile - 1) / kTile), static_cast<unsigned>((g.m + kTile - 1) / kTile),
                  kSplits);
  const bool too_much = is(D::launch_fails) || is(D::hides_failed_launch);
  gemm<<<grid, kThreads, too_much ? 1 << 20 : 0, on>>>(g);
  if (kSplits > 1) add_parts<<<256, kThreads, 0, on>>>(g);
  if (is(D::global_scratch) && g.m * g.n <= kScratch) store_scratch<<<256, kThreads, 0, on>>>(g);
  if (is(D::keeps_last_k)) remember_k<<<1, 1, 0, on>>>(g.k);
  if (is(D::changes_a_under_capture) && capturing(given)) flip_first<<<1, 1, 0, on>>>(g.a);
  misbehave(on);
  return launch_failed();
}
