// The library's own CPU product, for machines without a CBLAS and for calls that one does not serve.
#pragma once

#include "compiler/runtime/problem.h"

namespace pyc::runtime {

// C := alpha * op(A) * op(B) + beta * C in fp32, every layout and leading dimension, m, n, k >= 1. The order of the
// sums depends on the sizes alone, so that equal calls give equal bits.
void cpu_gemm_fp32(const Call &call);

}  // namespace pyc::runtime
