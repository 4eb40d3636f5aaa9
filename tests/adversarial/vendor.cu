// The vendor's GEMM as a candidate: cuBLAS, or with -DUSE_LT cuBLASLt's first choice. It must pass every check, or the
// check is wrong.
//
// Row-major C = op(A) op(B) is asked for as column-major C' = op(B)' op(A)': the operands change places, nothing moves.
// Partial sums are kept in fp32: reductions in the output's type are switched off. For cuBLASLt that excludes INPLACE,
// which adds them up in C; the checks refuse what it gives for fp16 and bf16.
//
//   -DELEMENT=float|__half|__nv_bfloat16 -DA_TRANSPOSED=0|1 -DB_TRANSPOSED=0|1
#include <cstdint>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

#include "pyc/kernel.h"

namespace {

constexpr size_t kWorkspaceBytes = 32u << 20;
constexpr cudaDataType_t kType = std::is_same_v<ELEMENT, float>    ? CUDA_R_32F
                                 : std::is_same_v<ELEMENT, __half> ? CUDA_R_16F
                                                                   : CUDA_R_16BF;
constexpr cublasOperation_t kOpA = A_TRANSPOSED ? CUBLAS_OP_T : CUBLAS_OP_N;
constexpr cublasOperation_t kOpB = B_TRANSPOSED ? CUBLAS_OP_T : CUBLAS_OP_N;

#ifdef USE_LT

cublasLtHandle_t handle() {
  static cublasLtHandle_t handle = [] {
    cublasLtHandle_t made = nullptr;
    (void)cublasLtCreate(&made);
    return made;
  }();
  return handle;
}

uint32_t alignment(const void *pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  return static_cast<uint32_t>(address % 256 ? address & ~(address - 1) : 256);
}

struct Matrix {
  cublasLtMatrixLayout_t layout = nullptr;
  // Stored rows x columns, row-major: columns x rows, column-major.
  Matrix(int64_t rows, int64_t columns, int64_t ld) {
    (void)cublasLtMatrixLayoutCreate(&layout, kType, static_cast<uint64_t>(columns), static_cast<uint64_t>(rows), ld);
  }
  ~Matrix() { (void)cublasLtMatrixLayoutDestroy(layout); }
};

struct Operation {
  cublasLtMatmulDesc_t description = nullptr;
  Operation() {
    (void)cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    (void)cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_TRANSA, &kOpB, sizeof kOpB);
    (void)cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_TRANSB, &kOpA, sizeof kOpA);
  }
  ~Operation() { (void)cublasLtMatmulDescDestroy(description); }
};

struct Preference {
  cublasLtMatmulPreference_t preference = nullptr;
  explicit Preference(const pyc_gemm_args &g) {
    (void)cublasLtMatmulPreferenceCreate(&preference);
    const uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    const uint32_t a = alignment(g.b), b = alignment(g.a), c = alignment(g.c);
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, g.workspace_bytes);
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, a);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, b);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, c);
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, c);
  }
  ~Preference() { (void)cublasLtMatmulPreferenceDestroy(preference); }
  template <class Value>
  void set(cublasLtMatmulPreferenceAttributes_t which, const Value &value) {
    (void)cublasLtMatmulPreferenceSetAttribute(preference, which, &value, sizeof value);
  }
};

pyc_status multiply(const pyc_gemm_args &g, cudaStream_t stream) {
  const Operation operation;
  const Matrix a(A_TRANSPOSED ? g.k : g.m, A_TRANSPOSED ? g.m : g.k, g.lda);
  const Matrix b(B_TRANSPOSED ? g.n : g.k, B_TRANSPOSED ? g.k : g.n, g.ldb), c(g.m, g.n, g.ldc);
  const Preference preference(g);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  if (cublasLtMatmulAlgoGetHeuristic(handle(), operation.description, b.layout, a.layout, c.layout, c.layout,
                                     preference.preference, 1, &best, &found) != CUBLAS_STATUS_SUCCESS ||
      found == 0) {
    return PYC_STATUS_UNSUPPORTED;
  }
  const cublasStatus_t status =
      cublasLtMatmul(handle(), operation.description, &g.alpha, g.b, b.layout, g.a, a.layout, &g.beta, g.c, c.layout,
                     g.c, c.layout, &best.algo, g.workspace, g.workspace_bytes, stream);
  return status == CUBLAS_STATUS_SUCCESS ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
}

#else

cublasHandle_t handle() {
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    (void)cublasCreate(&made);
    (void)cublasSetMathMode(
        made, static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION));
    return made;
  }();
  return handle;
}

pyc_status multiply(const pyc_gemm_args &g, cudaStream_t stream) {
  if (cublasSetStream(handle(), stream) != CUBLAS_STATUS_SUCCESS ||
      cublasSetWorkspace(handle(), g.workspace, g.workspace_bytes) != CUBLAS_STATUS_SUCCESS) {
    return PYC_STATUS_DEVICE_ERROR;
  }
  const cublasStatus_t status =
      cublasGemmEx_64(handle(), kOpB, kOpA, g.n, g.m, g.k, &g.alpha, g.b, kType, g.ldb, g.a, kType, g.lda, &g.beta, g.c,
                      kType, g.ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  return status == CUBLAS_STATUS_SUCCESS ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
}

#endif

}  // namespace

PYC_KERNEL size_t pyc_gemm_adversarial_workspace(const pyc_gemm_args *) { return kWorkspaceBytes; }

PYC_KERNEL pyc_status pyc_gemm_adversarial(const pyc_gemm_args *args, void *stream) {
  return multiply(*args, static_cast<cudaStream_t>(stream));
}
