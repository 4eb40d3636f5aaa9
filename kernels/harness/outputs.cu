#include "fatal.h"
#include "outputs.h"

namespace pyc::harness {
namespace {

constexpr int kThreads = 256, kBlocks = 132 * 16;

template <class Word>
__global__ void keep_kernel(Word *kept, const Word *c, int64_t m, int64_t n, int64_t ldc) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < m * n; i += step) {
    kept[i] = c[i / n * ldc + i % n];
  }
}

template <class Word>
__global__ void differences_kernel(const Word *kept, const Word *c, int64_t m, int64_t n, int64_t ldc,
                                   ChangesCounter *counter) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < m * n; i += step) {
    if (kept[i] == c[i / n * ldc + i % n]) continue;
    atomicAdd(&counter->count, 1ull);
    atomicMin(&counter->first, static_cast<unsigned long long>(i));
  }
}

__global__ void reset_kernel(ChangesCounter *counter) { *counter = {0, ~0ull}; }

__global__ void fill_shared_kernel(uint32_t word, int words) {
  extern __shared__ uint32_t shared[];
  for (int i = threadIdx.x; i < words; i += kThreads) static_cast<volatile uint32_t *>(shared)[i] = word;
}

}  // namespace

void keep_output(void *kept, const Output &output, cudaStream_t stream) {
  if (output.dtype == DType::fp32) {
    keep_kernel<<<kBlocks, kThreads, 0, stream>>>(
        static_cast<uint32_t *>(kept), static_cast<const uint32_t *>(output.c), output.m, output.n, output.ldc);
  } else {
    keep_kernel<<<kBlocks, kThreads, 0, stream>>>(
        static_cast<uint16_t *>(kept), static_cast<const uint16_t *>(output.c), output.m, output.n, output.ldc);
  }
  PYC_CUDA_LAUNCHED();
}

void count_differences(const void *kept, const Output &output, ChangesCounter *counter, cudaStream_t stream) {
  reset_kernel<<<1, 1, 0, stream>>>(counter);
  if (output.dtype == DType::fp32) {
    differences_kernel<<<kBlocks, kThreads, 0, stream>>>(static_cast<const uint32_t *>(kept),
                                                         static_cast<const uint32_t *>(output.c), output.m, output.n,
                                                         output.ldc, counter);
  } else {
    differences_kernel<<<kBlocks, kThreads, 0, stream>>>(static_cast<const uint16_t *>(kept),
                                                         static_cast<const uint16_t *>(output.c), output.m, output.n,
                                                         output.ldc, counter);
  }
  PYC_CUDA_LAUNCHED();
}

void fill_shared_memory(uint32_t word, int sm_count, int bytes_per_block, cudaStream_t stream) {
  PYC_CUDA(cudaFuncSetAttribute(fill_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes_per_block));
  fill_shared_kernel<<<2 * sm_count, kThreads, static_cast<size_t>(bytes_per_block), stream>>>(word,
                                                                                               bytes_per_block / 4);
  PYC_CUDA_LAUNCHED();
}

}  // namespace pyc::harness
