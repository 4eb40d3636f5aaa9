/* What a GEMM kernel implements: the ABI between a candidate, the harness and the runtime.
 *
 *     C[m,n] = alpha * op(A) * op(B) + beta * C        every matrix row-major
 *
 * Layout letters name the operands in order, A then B: `n` is stored as written (A is m x k, B is k x n), `t` is
 * stored transposed (A is k x m, B is n x k). A leading dimension is the distance in elements from one stored row
 * to the next; it may exceed the row. fp16 and bf16 inputs accumulate in fp32, and C has the input type.
 *
 * A candidate NAME defines, with C linkage:
 *
 *     PYC_KERNEL pyc_status pyc_gemm_NAME(const pyc_gemm_args *args, void *stream);
 *     PYC_KERNEL size_t pyc_gemm_NAME_workspace(const pyc_gemm_args *args);   only if kernel.json says "workspace":
 * true
 *
 * The first enqueues work on `stream` (a cudaStream_t) and returns. It does not synchronise or allocate, keeps no
 * state that outlives the call, and is safe under stream capture. It is called with m, n, k >= 1 and alpha != 0;
 * beta == 0 means that C is not read. A call that breaks the kernel's `requires` is answered with
 * PYC_STATUS_UNSUPPORTED, and nothing is enqueued. */
#ifndef PYC_KERNEL_H
#define PYC_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "pyc/status.h"

#ifdef __cplusplus
extern "C" {
#define PYC_KERNEL extern "C" __attribute__((visibility("default")))
#endif

typedef struct pyc_gemm_args {
  uint32_t struct_size; /* sizeof(pyc_gemm_args) of the caller */
  int64_t m, n, k;      /* elements */
  const void *a;        /* device pointer, only read */
  int64_t lda;          /* elements */
  const void *b;        /* device pointer, only read */
  int64_t ldb;          /* elements */
  void *c;              /* device pointer, read only if beta != 0 */
  int64_t ldc;          /* elements */
  float alpha, beta;
  void *workspace;        /* device pointer, 256-byte aligned, contents undefined; NULL if none was asked for */
  size_t workspace_bytes; /* at least what SYMBOL_workspace(args) answered */
} pyc_gemm_args;

typedef pyc_status (*pyc_gemm_kernel)(const pyc_gemm_args *args, void *stream);
typedef size_t (*pyc_gemm_workspace_query)(const pyc_gemm_args *args);

#ifdef __cplusplus
}
#endif
#endif
