/* The runtime: one call that gives the fastest right answer this machine has, and says why.
 *
 *     C[m,n] = alpha * op(A) * op(B) + beta * C        every matrix row-major (see pyc/kernel.h for layout letters)
 *
 * A call walks the chain of rungs (promoted kernel, CUTLASS, cuBLASLt, cuBLAS, CPU) and takes the first one that
 * accepts. A rung is refused before anything is enqueued or not at all: an error that CUDA reports is returned, never
 * hidden behind the next rung. Warm calls (same descriptor and pointer alignments as an earlier successful call or
 * warm-up on the context) allocate nothing and are safe under stream capture. pyc_gemm and pyc_gemm_plan_run
 * synchronise nothing, unless the environment asks for measured algorithms.
 *
 * Every function may be called from any thread, and threads may share contexts and plans. Functions that return
 * pyc_status leave a sentence in pyc_last_error_detail() when the status is not PYC_STATUS_SUCCESS.
 *
 * Every struct begins with `struct_size`, which the caller sets to its own sizeof. A library takes the sizes of its
 * own and of earlier versions, and treats the fields that an earlier one lacks as their defaults; a size that it does
 * not know, such as that of a later version, is INVALID_VALUE. */
#ifndef PYC_GEMM_H
#define PYC_GEMM_H

#include <stddef.h>
#include <stdint.h>

#include "pyc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PYC_API __attribute__((visibility("default")))
#else
#define PYC_API
#endif

/* Values are part of the ABI: new ones are appended, none is renumbered. */
typedef enum pyc_dtype { PYC_DTYPE_FP32 = 0, PYC_DTYPE_FP16 = 1, PYC_DTYPE_BF16 = 2 } pyc_dtype;

typedef enum pyc_layout { PYC_LAYOUT_NN = 0, PYC_LAYOUT_NT = 1, PYC_LAYOUT_TN = 2, PYC_LAYOUT_TT = 3 } pyc_layout;

typedef enum pyc_precision {
  PYC_PRECISION_FULL = 0,      /* products and sums in fp32 (or better) */
  PYC_PRECISION_ALLOW_TF32 = 1 /* fp32 inputs may be rounded to TF32 before they are multiplied */
} pyc_precision;

typedef enum pyc_determinism {
  PYC_DETERMINISM_ANY = 0,       /* the last bits may differ from call to call */
  PYC_DETERMINISM_REPEATABLE = 1 /* the same call on the same device and library gives the same bits */
} pyc_determinism;

/* The rungs. The chain asks them in this order: promoted, CUTLASS, cuBLASLt, cuBLAS, CPU. */
typedef enum pyc_rung {
  PYC_RUNG_PROMOTED = 0,
  PYC_RUNG_CUBLASLT = 1,
  PYC_RUNG_CUBLAS = 2,
  PYC_RUNG_CPU = 3,
  PYC_RUNG_CUTLASS = 4
} pyc_rung;
#define PYC_RUNG_COUNT 5
#define PYC_RUNG_SLOTS 8 /* room in public arrays for rungs to come */

typedef enum pyc_verdict {
  PYC_VERDICT_REFUSED = 0,
  PYC_VERDICT_ACCEPTED = 1, /* could serve the call, but an earlier rung does */
  PYC_VERDICT_CHOSEN = 2    /* serves the call */
} pyc_verdict;

/* Why a rung was refused; pyc_reason_string() has the sentence. */
typedef enum pyc_reason {
  PYC_REASON_NONE = 0,
  PYC_REASON_NOT_NEEDED = 1,
  PYC_REASON_DISABLED = 2,
  PYC_REASON_BUILT_WITHOUT_CUDA = 3,
  PYC_REASON_HOST_CONTEXT = 4,
  PYC_REASON_DEVICE_CONTEXT = 5,
  PYC_REASON_CAPTURE = 6,
  PYC_REASON_NO_RECORD = 7,
  PYC_REASON_ARCH = 8,
  PYC_REASON_DTYPE = 9,
  PYC_REASON_LAYOUT = 10,
  PYC_REASON_DETERMINISM = 11,
  PYC_REASON_SIZE_MULTIPLE = 12,
  PYC_REASON_LD_MULTIPLE = 13,
  PYC_REASON_ALIGNMENT = 14,
  PYC_REASON_WORKSPACE = 15,
  PYC_REASON_LIBRARY_MISSING = 16,
  PYC_REASON_LIBRARY_REFUSED = 17,
  PYC_REASON_KERNEL_REFUSED = 18,
  PYC_REASON_BUILT_WITHOUT_CUTLASS = 19,
  PYC_REASON_BATCH = 20,
  PYC_REASON_SIZE_LIMIT = 21,
  PYC_REASON_FAMILY = 22
} pyc_reason;
#define PYC_REASON_COUNT 23

/* One problem: `batch_count` products of one shape. Sizes, leading dimensions and strides in elements; a leading
 * dimension is the distance from one stored row to the next, a stride that from one matrix of the batch to the next.
 * m, n, k and batch_count may be 0. C must not overlap A or B.
 *
 * A stride of 0 lets every product read the same A or B. The matrices of C must not overlap: each begins behind the
 * one before (stride_c >= (m - 1) * ldc + n), or all rows interleave (n <= stride_c and (batch_count - 1) * stride_c +
 * n <= ldc). Strides are ignored where batch_count is at most 1. */
typedef struct pyc_gemm_desc {
  uint32_t struct_size; /* sizeof(pyc_gemm_desc), or PYC_GEMM_DESC_SIZE_V1: one product, no fields of the batch */
  int32_t dtype;        /* a pyc_dtype: the type of A, B and C; sums are kept in fp32 */
  int32_t layout;       /* a pyc_layout */
  int32_t precision;    /* a pyc_precision */
  int32_t determinism;  /* a pyc_determinism */
  int64_t m, n, k;
  int64_t lda; /* at least k (A as written) or m (A transposed) */
  int64_t ldb; /* at least n (B as written) or k (B transposed) */
  int64_t ldc; /* at least n */
  int64_t batch_count;
  int64_t stride_a, stride_b, stride_c; /* 0 or more */
} pyc_gemm_desc;
#define PYC_GEMM_DESC_SIZE_V1 offsetof(pyc_gemm_desc, batch_count)

/* A descriptor of one product of packed matrices: every leading dimension is the length of the stored row. */
static inline pyc_gemm_desc pyc_gemm_desc_packed(pyc_dtype dtype, pyc_layout layout, int64_t m, int64_t n, int64_t k) {
  pyc_gemm_desc desc;
  const int a_transposed = layout == PYC_LAYOUT_TN || layout == PYC_LAYOUT_TT;
  const int b_transposed = layout == PYC_LAYOUT_NT || layout == PYC_LAYOUT_TT;
  desc.struct_size = (uint32_t)sizeof(desc);
  desc.dtype = (int32_t)dtype;
  desc.layout = (int32_t)layout;
  desc.precision = PYC_PRECISION_FULL;
  desc.determinism = PYC_DETERMINISM_ANY;
  desc.m = m;
  desc.n = n;
  desc.k = k;
  desc.lda = a_transposed ? m : k;
  desc.ldb = b_transposed ? k : n;
  desc.ldc = n;
  if (desc.lda < 1) desc.lda = 1;
  if (desc.ldb < 1) desc.ldb = 1;
  if (desc.ldc < 1) desc.ldc = 1;
  desc.batch_count = 1;
  desc.stride_a = 0;
  desc.stride_b = 0;
  desc.stride_c = 0;
  return desc;
}

/* The same for `batch_count` products whose matrices follow one another without a gap. Sizes whose product overflows
 * are refused where the descriptor is used. */
static inline pyc_gemm_desc pyc_gemm_desc_batched(pyc_dtype dtype, pyc_layout layout, int64_t m, int64_t n, int64_t k,
                                                  int64_t batch_count) {
  pyc_gemm_desc desc = pyc_gemm_desc_packed(dtype, layout, m, n, k);
  desc.batch_count = batch_count;
  desc.stride_a = (int64_t)((uint64_t)m * (uint64_t)k);
  desc.stride_b = (int64_t)((uint64_t)k * (uint64_t)n);
  desc.stride_c = (int64_t)((uint64_t)m * (uint64_t)n);
  return desc;
}

/* A context holds the plans, workspaces, library handles and counters of one device, or of host memory. */
typedef struct pyc_context pyc_context;
#define PYC_DEVICE_HOST (-1)

/* `device` is a CUDA ordinal, or PYC_DEVICE_HOST for matrices in host memory. The PYC_* environment variables are
 * read here and never again. Errors: INVALID_VALUE (ordinal, variable), NO_DEVICE, DRIVER_TOO_OLD, NO_KERNEL (a
 * forced symbol that is not compiled in), OUT_OF_MEMORY, DEVICE_ERROR. On error *context is NULL. */
PYC_API pyc_status pyc_context_create(int32_t device, pyc_context **context);

/* Frees the context's device memory, which waits for the device, once its last plan is destroyed too. No call on the
 * context may be under way, and no captured graph that used it may be launched afterwards. NULL is allowed. */
PYC_API void pyc_context_destroy(pyc_context *context);

/* Enqueues the product on `stream` (a cudaStream_t of the context's device; ignored for a host context, where the
 * result is complete on return). A, B and C are pointers into the context's memory.
 *   m, n or batch_count == 0  success, nothing is touched
 *   k == 0 or alpha == 0      C := beta * C, neither A nor B is read (they may be NULL)
 *   beta == 0                 C is written without being read
 * Errors: INVALID_VALUE and MISALIGNED (the detail names the argument), NO_KERNEL (every rung refused), CAPTURE_UNSAFE
 * (the stream is being captured and the call is not warm), OUT_OF_MEMORY, DEVICE_ERROR. After INVALID_VALUE,
 * MISALIGNED, NO_KERNEL and CAPTURE_UNSAFE nothing was enqueued. */
PYC_API pyc_status pyc_gemm(pyc_context *context, const pyc_gemm_desc *desc, float alpha, const void *a, const void *b,
                            float beta, void *c, void *stream);

/* What a context gives to a stream whose calls need workspace and bring none, and the most that a plan asks for unless
 * its options say otherwise. */
#define PYC_WORKSPACE_BYTES ((size_t)32 << 20)

/* What is known of the calls to come before there is one. */
typedef struct pyc_gemm_plan_options {
  uint32_t struct_size;               /* sizeof(pyc_gemm_plan_options) */
  uint32_t align_a, align_b, align_c; /* bytes that every pointer will be a multiple of: a power of two, up to 256,
                                         and at least an element */
  size_t max_workspace_bytes;         /* a rung that needs more is refused */
} pyc_gemm_plan_options;

/* Pointers as cudaMalloc returns them, and the workspace that a context gives. */
static inline pyc_gemm_plan_options pyc_gemm_plan_options_default(void) {
  pyc_gemm_plan_options options;
  options.struct_size = (uint32_t)sizeof(options);
  options.align_a = 256;
  options.align_b = 256;
  options.align_c = 256;
  options.max_workspace_bytes = PYC_WORKSPACE_BYTES;
  return options;
}

/* Makes later pyc_gemm calls with this descriptor on `stream` warm, and so fit for capture, if their pointers have the
 * alignments of the options and no larger ones (256 stands for all that are larger): chooses the rung, opens its
 * library, gives the stream its workspace and runs the product once on scratch memory of its own, as large as the
 * operands, so that the kernel is loaded. Waits for `stream`, which must not be being captured. `options` may be NULL
 * for the defaults; only their alignments matter. Errors: as pyc_gemm's. */
PYC_API pyc_status pyc_gemm_warmup(pyc_context *context, const pyc_gemm_desc *desc,
                                   const pyc_gemm_plan_options *options, void *stream);

/* A decision for one descriptor, made once: a run of it looks nothing up. It never changes, and threads and streams may
 * share it. */
typedef struct pyc_gemm_plan pyc_gemm_plan;

/* Chooses the rung; enqueues nothing. A plan keeps its context alive: the two may be destroyed in any order. `options`
 * may be NULL for the defaults. Errors: INVALID_VALUE, NO_KERNEL, OUT_OF_MEMORY, DEVICE_ERROR. On error *plan is NULL.
 */
PYC_API pyc_status pyc_gemm_plan_create(pyc_context *context, const pyc_gemm_desc *desc,
                                        const pyc_gemm_plan_options *options, pyc_gemm_plan **plan);

/* NULL is allowed. No run may be under way. */
PYC_API void pyc_gemm_plan_destroy(pyc_gemm_plan *plan);

/* The workspace that each run needs: 0 to options.max_workspace_bytes. */
PYC_API pyc_status pyc_gemm_plan_workspace(const pyc_gemm_plan *plan, size_t *bytes);

/* pyc_gemm by the plan. `workspace` is device memory, 256-byte aligned, of `workspace_bytes`, which no other work uses
 * until this run is done; or NULL with 0 bytes for the context's own of the stream. A plan is warm after a run or a
 * warm-up. Errors: as pyc_gemm's; MISALIGNED for a pointer that breaks the options' promise; WORKSPACE_TOO_SMALL (the
 * detail has both sizes). After either nothing was enqueued. */
PYC_API pyc_status pyc_gemm_plan_run(const pyc_gemm_plan *plan, float alpha, const void *a, const void *b, float beta,
                                     void *c, void *workspace, size_t workspace_bytes, void *stream);

/* pyc_gemm_warmup for the plan. */
PYC_API pyc_status pyc_gemm_plan_warmup(const pyc_gemm_plan *plan, void *stream);

/* What one rung says to a call. */
typedef struct pyc_rung_report {
  uint32_t struct_size; /* sizeof(pyc_rung_report) */
  int32_t rung;         /* a pyc_rung */
  int32_t verdict;      /* a pyc_verdict */
  int32_t reason;       /* a pyc_reason; PYC_REASON_NONE unless refused */
  char symbol[96];      /* the function that serves or would serve the call; empty if refused */
  char detail[256];     /* the observed value against the limit, or where the kernel comes from */
} pyc_rung_report;

/* Asks every rung, in the order of the chain, about the call that pyc_gemm would make with the same arguments;
 * launches nothing and touches no matrix. Writes min(capacity, PYC_RUNG_COUNT) reports and sets *count to
 * PYC_RUNG_COUNT. The caller sets reports[0].struct_size. Errors: as pyc_gemm's for its arguments. */
PYC_API pyc_status pyc_gemm_explain(pyc_context *context, const pyc_gemm_desc *desc, float alpha, const void *a,
                                    const void *b, float beta, const void *c, void *stream, pyc_rung_report *reports,
                                    size_t capacity, size_t *count);

/* What the rungs said when the plan was made; otherwise as pyc_gemm_explain. */
PYC_API pyc_status pyc_gemm_plan_explain(const pyc_gemm_plan *plan, pyc_rung_report *reports, size_t capacity,
                                         size_t *count);

/* The reports as text, one line a rung. Returns the length without the final NUL and writes at most `capacity` bytes,
 * the NUL included, as snprintf does. */
PYC_API size_t pyc_explanation_text(const pyc_rung_report *reports, size_t count, char *text, size_t capacity);

/* What a context did since its creation. Arrays are indexed by pyc_rung. */
typedef struct pyc_counters {
  uint32_t struct_size;             /* sizeof(pyc_counters) */
  uint64_t quick_answers;           /* calls answered without a kernel */
  uint64_t failed;                  /* calls that returned an error */
  uint64_t plan_hits;               /* calls that found their plan */
  uint64_t plan_misses;             /* calls that had to make one */
  uint64_t served[PYC_RUNG_SLOTS];  /* calls that the rung served */
  uint64_t skipped[PYC_RUNG_SLOTS]; /* calls that a later rung served because this one was refused */
} pyc_counters;

PYC_API pyc_status pyc_context_counters(const pyc_context *context, pyc_counters *counters);

/* Names and sentences; static strings, "unknown ..." for a value outside the enumeration. */
PYC_API const char *pyc_status_string(int32_t status);
PYC_API const char *pyc_reason_string(int32_t reason);
PYC_API const char *pyc_rung_name(int32_t rung);

/* The detail of this thread's last call that did not succeed; "" before the first. Valid until the thread's next
 * call into the library. */
PYC_API const char *pyc_last_error_detail(void);

/* The library's version, "MAJOR.MINOR.PATCH". */
PYC_API const char *pyc_version(void);

/* What this library was built from and what it runs on. CUDA versions are 1000 * major + 10 * minor. */
typedef struct pyc_build {
  uint32_t struct_size;     /* sizeof(pyc_build) */
  int32_t cuda_built;       /* the toolkit that compiled it; 0 in a build without CUDA */
  int32_t cuda_driver;      /* the newest that this machine's driver runs; 0 without a driver, or without CUDA */
  int32_t promoted_kernels; /* compiled in */
  int32_t cutlass_kernels;  /* compiled in */
  const char *version;      /* as pyc_version() */
  const char *archs;        /* of the code compiled in, for example "sm89 sm90 compute80"; "" without CUDA */
  const char *compiler;     /* of the host code, for example "GNU 12.2.0" */
} pyc_build;

PYC_API pyc_status pyc_build_query(pyc_build *build);

#ifdef __cplusplus
}
#endif
#endif
