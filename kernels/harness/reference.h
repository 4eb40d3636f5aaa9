// The judge: op(A)*op(B) in fp64, from the patterns themselves. It reads no memory that a candidate can write, knows no
// layout and no leading dimension, and is shared by every variant of a shape.
#ifndef PYC_HARNESS_REFERENCE_H
#define PYC_HARNESS_REFERENCE_H

#include <cuda_runtime_api.h>

#include "pattern.h"

namespace pyc::harness {

// product[m*n], packed row-major device memory, is set to the sum over k of a(i,l)*b(l,j), accumulated in fp64 in the
// order of l.
void reference_product(double *product, const Pattern &a, const Pattern &b, int64_t m, int64_t n, int64_t k,
                       cudaStream_t stream);

}  // namespace pyc::harness

#endif
