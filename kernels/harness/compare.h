// An output against the reference, on the device.
#ifndef PYC_HARNESS_COMPARE_H
#define PYC_HARNESS_COMPARE_H

#include <cuda_runtime_api.h>

#include "buffer.h"
#include "pattern.h"
#include "tally.h"

namespace pyc::harness {

// What C should hold: alpha*product + beta*c, the second term only if beta != 0.
struct Expectation {
  const double *product;  // packed m x n, device memory; null where `whole` is given
  int64_t m, n;
  double alpha, beta;
  Pattern c;  // of C before the call
  Rule rule;
  const int32_t *whole = nullptr;  // the product in whole numbers
  bool exact = false;              // by count_exact() with rule.absolute as its slack, not by count_element()
};

class Comparison {
 public:
  Comparison();

  // Enqueues the comparison of an output, row-major with leading dimension ldc.
  void enqueue(const void *c, int64_t ldc, const Expectation &expectation, cudaStream_t stream);

  // The tally of the last enqueue(); waits for the stream.
  Tally result(cudaStream_t stream);

 private:
  Buffer tallies_;
};

}  // namespace pyc::harness

#endif
