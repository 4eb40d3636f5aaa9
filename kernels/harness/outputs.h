// Outputs kept for later: were the bits of two calls the same?
#ifndef PYC_HARNESS_OUTPUTS_H
#define PYC_HARNESS_OUTPUTS_H

#include <cuda_runtime_api.h>

#include "fill.h"

namespace pyc::harness {

// A row-major m x n output with leading dimension ldc, as the candidate left it.
struct Output {
  const void *c;
  int64_t m, n, ldc;
  DType dtype;
};

// Copies the output into `kept`, packed.
void keep_output(void *kept, const Output &output, cudaStream_t stream);

// Counts the elements whose bits differ from what was kept; an index is row * n + column. `counter` is set, not added
// to.
void count_differences(const void *kept, const Output &output, ChangesCounter *counter, cudaStream_t stream);

// Fills the shared memory of every multiprocessor with one word, as far as a block may use it.
void fill_shared_memory(uint32_t word, int sm_count, int bytes_per_block, cudaStream_t stream);

}  // namespace pyc::harness

#endif
