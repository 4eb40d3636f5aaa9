// Writing patterns into allocations, and finding what somebody else changed in them.
#ifndef PYC_HARNESS_FILL_H
#define PYC_HARNESS_FILL_H

#include <cuda_runtime_api.h>

#include "pattern.h"

namespace pyc::harness {

// What changed in an allocation: how many elements, and the lowest index of one (-1: none).
struct Changes {
  int64_t count = 0, first = -1;
};

// Device-side result of count_changes; read with changes_of after the stream has been synchronised.
struct ChangesCounter {
  unsigned long long count, first;
};

Changes changes_of(const ChangesCounter &counter);

// Fills the whole allocation: the matrix with its pattern, everything else with the word `around`, of which 16-bit
// types take the lower half.
void fill(void *allocation, const Placement &place, const Pattern &pattern, uint32_t around, cudaStream_t stream);

// Fills the whole allocation with one word. bytes is a multiple of 4.
void fill_word(void *allocation, int64_t bytes, uint32_t word, cudaStream_t stream);

enum class Inside { compare, ignore };

// Compares the whole allocation, bit by bit, with what fill() wrote; with Inside::ignore the matrix itself may differ.
// `counter` is device memory, and is set, not added to.
void count_changes(const void *allocation, const Placement &place, const Pattern &pattern, uint32_t around,
                   Inside inside, ChangesCounter *counter, cudaStream_t stream);

// The same for an allocation that fill_word() filled; counts words.
void count_word_changes(const void *allocation, int64_t bytes, uint32_t word, ChangesCounter *counter,
                        cudaStream_t stream);

}  // namespace pyc::harness

#endif
