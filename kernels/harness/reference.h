// The judge: op(A)*op(B) from the patterns themselves, in fp64 or in integers. It reads no memory that a candidate can
// write, knows no layout and no leading dimension, and is shared by every variant of a shape.
#ifndef PYC_HARNESS_REFERENCE_H
#define PYC_HARNESS_REFERENCE_H

#include <cuda_runtime_api.h>

#include "pattern.h"

namespace pyc::harness {

// For random patterns. product[m*n], packed row-major device memory, is set to the sum over k of a(i,l)*b(l,j),
// accumulated in fp64 in the order of l.
void reference_product(double *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                       cudaStream_t stream);

// The same in fp64 for patterns with special values: NaN and infinities go where IEEE arithmetic takes them.
void reference_special_product(double *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                               cudaStream_t stream);

// The same in 32-bit integers for patterns of whole numbers, whose sums are under 2^24.
void reference_whole_product(int32_t *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                             cudaStream_t stream);

}  // namespace pyc::harness

#endif
