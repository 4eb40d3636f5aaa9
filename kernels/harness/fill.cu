#include "fatal.h"
#include "fill.h"

namespace pyc::harness {
namespace {

constexpr int kThreads = 256;
constexpr int64_t kMaxBlocks = 132 * 16;

int blocks_for(int64_t items) {
  const int64_t blocks = (items + kThreads - 1) / kThreads;
  return static_cast<int>(blocks < 1 ? 1 : blocks < kMaxBlocks ? blocks : kMaxBlocks);
}

// The bits that the element at `index` should have.
__device__ uint32_t wanted_bits(const Placement &place, const Pattern &pattern, uint32_t around, int64_t index,
                                bool *inside) {
  int64_t row, column;
  *inside = locate(place, index, &row, &column);
  if (*inside) return element_bits(pattern.dtype, pattern_value(pattern, row, column));
  return pattern.dtype == DType::fp32 ? around : around & 0xffffu;
}

template <class Word>
__global__ void fill_kernel(Word *memory, Placement place, Pattern pattern, uint32_t around) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < place.capacity; i += step) {
    bool inside;
    memory[i] = static_cast<Word>(wanted_bits(place, pattern, around, i, &inside));
  }
}

__global__ void fill_word_kernel(uint32_t *memory, int64_t words, uint32_t word) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < words; i += step) memory[i] = word;
}

__device__ void report_change(ChangesCounter *counter, int64_t index) {
  atomicAdd(&counter->count, 1ull);
  atomicMin(&counter->first, static_cast<unsigned long long>(index));
}

template <class Word>
__global__ void count_changes_kernel(const Word *memory, Placement place, Pattern pattern, uint32_t around, Inside mode,
                                     ChangesCounter *counter) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < place.capacity; i += step) {
    bool inside;
    const uint32_t wanted = wanted_bits(place, pattern, around, i, &inside);
    if (inside && mode == Inside::ignore) continue;
    if (memory[i] != static_cast<Word>(wanted)) report_change(counter, i);
  }
}

__global__ void count_word_changes_kernel(const uint32_t *memory, int64_t words, uint32_t word,
                                          ChangesCounter *counter) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < words; i += step) {
    if (memory[i] != word) report_change(counter, i);
  }
}

__global__ void reset_counter_kernel(ChangesCounter *counter) { *counter = {0, ~0ull}; }

}  // namespace

Changes changes_of(const ChangesCounter &counter) {
  Changes changes;
  changes.count = static_cast<int64_t>(counter.count);
  if (counter.count) changes.first = static_cast<int64_t>(counter.first);
  return changes;
}

void fill(void *allocation, const Placement &place, const Pattern &pattern, uint32_t around, cudaStream_t stream) {
  const int blocks = blocks_for(place.capacity);
  if (pattern.dtype == DType::fp32) {
    fill_kernel<<<blocks, kThreads, 0, stream>>>(static_cast<uint32_t *>(allocation), place, pattern, around);
  } else {
    fill_kernel<<<blocks, kThreads, 0, stream>>>(static_cast<uint16_t *>(allocation), place, pattern, around);
  }
  PYC_CUDA_LAUNCHED();
}

void fill_word(void *allocation, int64_t bytes, uint32_t word, cudaStream_t stream) {
  fill_word_kernel<<<blocks_for(bytes / 4), kThreads, 0, stream>>>(static_cast<uint32_t *>(allocation), bytes / 4,
                                                                   word);
  PYC_CUDA_LAUNCHED();
}

void count_changes(const void *allocation, const Placement &place, const Pattern &pattern, uint32_t around,
                   Inside inside, ChangesCounter *counter, cudaStream_t stream) {
  reset_counter_kernel<<<1, 1, 0, stream>>>(counter);
  const int blocks = blocks_for(place.capacity);
  if (pattern.dtype == DType::fp32) {
    count_changes_kernel<<<blocks, kThreads, 0, stream>>>(static_cast<const uint32_t *>(allocation), place, pattern,
                                                          around, inside, counter);
  } else {
    count_changes_kernel<<<blocks, kThreads, 0, stream>>>(static_cast<const uint16_t *>(allocation), place, pattern,
                                                          around, inside, counter);
  }
  PYC_CUDA_LAUNCHED();
}

void count_word_changes(const void *allocation, int64_t bytes, uint32_t word, ChangesCounter *counter,
                        cudaStream_t stream) {
  reset_counter_kernel<<<1, 1, 0, stream>>>(counter);
  count_word_changes_kernel<<<blocks_for(bytes / 4), kThreads, 0, stream>>>(static_cast<const uint32_t *>(allocation),
                                                                            bytes / 4, word, counter);
  PYC_CUDA_LAUNCHED();
}

}  // namespace pyc::harness
