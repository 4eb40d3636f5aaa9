#include <vector>

#include "compare.h"
#include "fatal.h"

namespace pyc::harness {
namespace {

constexpr int kThreads = 256, kBlocks = 132 * 4;

__global__ void compare_kernel(const void *c, int64_t ldc, Expectation want, Tally *tallies) {
  __shared__ Tally shared[kThreads];
  Tally mine;
  const int64_t elements = want.m * want.n, step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < elements; i += step) {
    const int64_t row = i / want.n, column = i - row * want.n;
    double expected = want.alpha * (want.whole ? want.whole[i] : want.product[i]);
    if (want.beta != 0.0) expected += want.beta * pattern_value(want.c, row, column);
    const double got = load_element(want.c.dtype, c, row * ldc + column);
    if (want.exact)
      count_exact(mine, want.c.dtype, want.rule.absolute, i, expected, got);
    else
      count_element(mine, want.rule, i, expected, got);
  }
  shared[threadIdx.x] = mine;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) merge(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) tallies[blockIdx.x] = shared[0];
}

}  // namespace

Comparison::Comparison() : tallies_(kBlocks * static_cast<int64_t>(sizeof(Tally))) {}

void Comparison::enqueue(const void *c, int64_t ldc, const Expectation &expectation, cudaStream_t stream) {
  compare_kernel<<<kBlocks, kThreads, 0, stream>>>(c, ldc, expectation, static_cast<Tally *>(tallies_.data()));
  PYC_CUDA_LAUNCHED();
}

Tally Comparison::result(cudaStream_t stream) {
  std::vector<Tally> tallies(kBlocks);
  PYC_CUDA(cudaMemcpyAsync(tallies.data(), tallies_.data(), kBlocks * sizeof(Tally), cudaMemcpyDeviceToHost, stream));
  PYC_CUDA(cudaStreamSynchronize(stream));
  Tally total;
  for (const Tally &tally : tallies) merge(total, tally);
  return total;
}

}  // namespace pyc::harness
