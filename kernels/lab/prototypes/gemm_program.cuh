// The program around a prototype: arguments, inputs, the check, the clock. A prototype is one .cu file that includes
// this one and hands over a launch; nothing else but the CUDA toolkit is needed.
//
//     PROGRAM M N K [WARMUP REPEATS [SKIP_CHECK]]
//
// C = A * B, all row-major and dense. Inputs are random and scaled so that the elements of C have unit variance. C is
// filled with NaN before the call that is checked. The check compares with products that were added in fp64, under two
// rules: every element within the dtype's tolerance, and the whole within a bound that the dtype's rounding explains.
// Prints key=value lines; best_ms is the fastest of REPEATS calls, timed by events on the stream, caches warm.
// Exit codes: 0 done, 1 wrong result, 2 usage, 3 the device or CUDA says no.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

#define LAB_CHECK(call)                                                                                         \
  do {                                                                                                          \
    const cudaError_t lab_error = (call);                                                                       \
    if (lab_error != cudaSuccess) {                                                                             \
      std::fprintf(stderr, "error: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(lab_error)); \
      std::exit(3);                                                                                             \
    }                                                                                                           \
  } while (0)

namespace lab {

template <class T>
struct Gemm {
  const T *a, *b;  // m x k and k x n
  T *c;            // m x n
  int m, n, k;
};

// What a prototype can serve.
struct Limits {
  const char *name;
  int m_multiple, n_multiple, k_multiple;
};

// The element rule's pair, and the unit roundoff of a stored result.
template <class T>
struct Precision;
template <>
struct Precision<float> {
  static constexpr double kTolerance = 1e-4, kRoundoff = 0x1p-24;
};
template <>
struct Precision<__half> {
  static constexpr double kTolerance = 5e-2, kRoundoff = 0x1p-11;
};
template <>
struct Precision<__nv_bfloat16> {
  static constexpr double kTolerance = 8e-2, kRoundoff = 0x1p-8;
};

struct Arguments {
  int m = 0, n = 0, k = 0, warmup = 10, repeats = 50;
  bool check = true;
};

inline int read_count(const char *text, int minimum) {
  char *end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end != text && *end == '\0' && value >= minimum && value <= 1 << 20) return static_cast<int>(value);
  std::fprintf(stderr, "error: '%s' is not a whole number from %d to %d\n", text, minimum, 1 << 20);
  std::exit(2);
}

inline Arguments read_arguments(int argc, char **argv, const Limits &limits) {
  if (argc != 4 && argc != 6 && argc != 7) {
    std::fprintf(stderr, "usage: %s M N K [WARMUP REPEATS [SKIP_CHECK]]\n", argv[0]);
    std::exit(2);
  }
  Arguments given;
  given.m = read_count(argv[1], 1), given.n = read_count(argv[2], 1), given.k = read_count(argv[3], 1);
  if (argc > 4) given.warmup = read_count(argv[4], 0), given.repeats = read_count(argv[5], 1);
  if (argc > 6) given.check = read_count(argv[6], 0) == 0;
  if (given.m % limits.m_multiple || given.n % limits.n_multiple || given.k % limits.k_multiple) {
    std::fprintf(stderr, "error: %s needs m, n, k that are multiples of %d, %d, %d\n", limits.name, limits.m_multiple,
                 limits.n_multiple, limits.k_multiple);
    std::exit(2);
  }
  return given;
}

// A device buffer that is freed with the program's scope.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) { LAB_CHECK(cudaMalloc(&data_, count * sizeof(T))); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { cudaFree(data_); }
  T *get() const { return data_; }

 private:
  T *data_ = nullptr;
};

// Uniform in [-1, 1) times `scale`, a function of index and seed alone (the finalizer of splitmix64).
template <class T>
__global__ void fill_random(T *data, std::size_t count, uint64_t seed, float scale) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= count) return;
  uint64_t z = (i + seed * count) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  z ^= z >> 31;
  data[i] = T((static_cast<float>(z >> 40) * 0x1p-23f - 1.0f) * scale);
}

// Rows first_row, first_row + row_step, ... of A * B, added in fp64.
template <class T>
__global__ void multiply_reference(Gemm<T> gemm, int row_step, int rows, double *expected) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= gemm.n || row >= rows) return;
  double sum = 0;
  for (int p = 0; p < gemm.k; ++p) {
    sum += double(float(gemm.a[int64_t{row} * row_step * gemm.k + p])) *
           double(float(gemm.b[int64_t{p} * gemm.n + column]));
  }
  expected[int64_t{row} * gemm.n + column] = sum;
}

struct Verdict {
  int64_t violations = 0, elements = 0;
  double max_abs_error = 0, normwise_error = 0, normwise_bound = 0;
  bool passed() const { return violations == 0 && normwise_error <= normwise_bound; }
};

template <class T>
Verdict compare(const std::vector<T> &got, const std::vector<double> &expected, int k) {
  Verdict verdict;
  double error_squares = 0, squares = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = std::fabs(double(float(got[i])) - expected[i]), size = std::fabs(expected[i]);
    const double allowed = Precision<T>::kTolerance * (1 + size);
    if (!(error <= allowed)) ++verdict.violations;  // written so that NaN is one
    verdict.max_abs_error = std::max(verdict.max_abs_error, std::isnan(error) ? HUGE_VAL : error);
    error_squares += error * error;
    squares += size * size;
  }
  verdict.elements = static_cast<int64_t>(expected.size());
  verdict.normwise_error = std::sqrt(error_squares / squares);
  // Rounding the result, and fp32 sums of k products whose errors add up like a random walk, or in one direction where
  // tensor cores cut off: never more than one part in 2^24 for each of k / 8 additions.
  verdict.normwise_bound = 2 * Precision<T>::kRoundoff + 0x1p-24 * (4 * std::sqrt(double(k)) + k / 8.0);
  return verdict;
}

// All rows of a small problem, and rows at equal distances of a large one, so that the reference stays cheap.
template <class T>
Verdict check(const Gemm<T> &gemm) {
  constexpr double kProducts = 4e9;
  const double rows_affordable = kProducts / (double(gemm.n) * gemm.k);
  const int rows = std::max(1, std::min(gemm.m, static_cast<int>(std::min(rows_affordable, 1e6))));
  const int step = gemm.m / rows;
  const std::size_t count = std::size_t(rows) * gemm.n;
  Buffer<double> reference(count);
  const dim3 blocks((gemm.n + 255) / 256, rows);
  multiply_reference<<<blocks, 256>>>(gemm, step, rows, reference.get());
  LAB_CHECK(cudaGetLastError());
  std::vector<double> expected(count);
  std::vector<T> got(count);
  LAB_CHECK(cudaMemcpy(expected.data(), reference.get(), count * sizeof(double), cudaMemcpyDeviceToHost));
  LAB_CHECK(cudaMemcpy2D(got.data(), gemm.n * sizeof(T), gemm.c, std::size_t(step) * gemm.n * sizeof(T),
                         gemm.n * sizeof(T), rows, cudaMemcpyDeviceToHost));
  return compare(got, expected, gemm.k);
}

// Milliseconds of each call.
template <class Call>
std::vector<float> time_calls(const Arguments &given, Call call) {
  cudaEvent_t begin, end;
  LAB_CHECK(cudaEventCreate(&begin));
  LAB_CHECK(cudaEventCreate(&end));
  for (int i = 0; i < given.warmup; ++i) call();
  std::vector<float> times_ms(given.repeats);
  for (float &time_ms : times_ms) {
    LAB_CHECK(cudaEventRecord(begin));
    call();
    LAB_CHECK(cudaEventRecord(end));
    LAB_CHECK(cudaEventSynchronize(end));
    LAB_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
  }
  LAB_CHECK(cudaEventDestroy(begin));
  LAB_CHECK(cudaEventDestroy(end));
  return times_ms;
}

inline void print_times(const Arguments &given, const std::vector<float> &times_ms) {
  double sum = 0;
  for (const float time_ms : times_ms) sum += time_ms;
  const double best_ms = *std::min_element(times_ms.begin(), times_ms.end());
  std::printf("mean_ms=%.6f\nbest_ms=%.6f\n", sum / times_ms.size(), best_ms);
  std::printf("gflops=%.3f\n", 2e-6 * given.m * given.n * given.k / best_ms);
}

template <class T>
bool print_check(const Gemm<T> &gemm, const Arguments &given) {
  if (!given.check) return std::printf("check=skipped\n") > 0;
  const Verdict verdict = check(gemm);
  std::printf("max_abs_error=%.3e\nnormwise_error=%.3e\nnormwise_bound=%.3e\n", verdict.max_abs_error,
              verdict.normwise_error, verdict.normwise_bound);
  std::printf("violations=%lld\nchecked_elements=%lld\n", (long long)verdict.violations, (long long)verdict.elements);
  std::printf("check=%s\n", verdict.passed() ? "passed" : "failed");
  return verdict.passed();
}

// `launch(gemm)` enqueues one product on the default stream.
template <class T, class Launch>
int gemm_program(const Limits &limits, int argc, char **argv, Launch launch) {
  const Arguments given = read_arguments(argc, argv, limits);
  const std::size_t a_count = std::size_t(given.m) * given.k, b_count = std::size_t(given.k) * given.n,
                    c_count = std::size_t(given.m) * given.n;
  Buffer<T> a(a_count), b(b_count), c(c_count);
  // A product of two such numbers has the variance scale^4 / 9; k of them have to make 1.
  const float scale = std::pow(9.0f / given.k, 0.25f);
  constexpr int kThreads = 256;
  fill_random<<<(a_count + kThreads - 1) / kThreads, kThreads>>>(a.get(), a_count, 1, scale);
  fill_random<<<(b_count + kThreads - 1) / kThreads, kThreads>>>(b.get(), b_count, 2, scale);
  LAB_CHECK(cudaGetLastError());
  LAB_CHECK(cudaMemset(c.get(), 0xFF, c_count * sizeof(T)));  // NaN in every dtype

  const Gemm<T> gemm{a.get(), b.get(), c.get(), given.m, given.n, given.k};
  std::printf("kernel=%s\nm=%d\nn=%d\nk=%d\n", limits.name, given.m, given.n, given.k);
  launch(gemm);
  LAB_CHECK(cudaGetLastError());
  LAB_CHECK(cudaDeviceSynchronize());
  if (!print_check(gemm, given)) return 1;
  print_times(given, time_calls(given, [&] { launch(gemm); }));
  LAB_CHECK(cudaGetLastError());
  LAB_CHECK(cudaDeviceSynchronize());
  return 0;
}

// The dynamic shared memory that a kernel needs, beyond the 48 KB that every kernel may have.
template <class Kernel>
bool allow_shared_memory(Kernel kernel, int bytes) {
  LAB_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  return true;
}

// ---- copies from global to shared memory, 16 bytes at a time
// ---------------------------------------------------------

__device__ inline uint32_t shared_address(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ inline void copy_async_16(void *shared, const void *global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(shared)), "l"(global) : "memory");
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Waits until at most kPending groups of this thread's copies are under way.
template <int kPending>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

}  // namespace lab
