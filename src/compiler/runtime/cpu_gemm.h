// Products in host memory. Sums are kept in fp32 until alpha and beta are applied; C is rounded once.
#pragma once

#include "compiler/runtime/problem.h"

namespace pyc::runtime {

// From the CBLAS reference: row-major is 101, CblasNoTrans 111, CblasTrans 112; sizes are int.
using CblasSgemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a,
                            int lda, const float *b, int ldb, float beta, float *c, int ldc);

// C := alpha * op(A) * op(B) + beta * C for the descriptor's dtype and layout, and one product of its batch; m, n, k >=
// 1. By the library's own loops: the order of the sums depends on the sizes alone, so that equal calls give equal bits.
void cpu_gemm(const pyc_gemm_desc &desc, const pyc_gemm_args &args);

// The same by a CBLAS. fp32 is one call if its sizes allow it; everything else goes through fp32 tiles, in memory that
// each thread allocates once.
void cpu_gemm_by_cblas(CblasSgemm sgemm, const pyc_gemm_desc &desc, const pyc_gemm_args &args);

// Whether it gives a small product of whole numbers as the own loops do.
bool multiplies(CblasSgemm sgemm);

}  // namespace pyc::runtime
