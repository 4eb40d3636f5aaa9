#include "compiler/runtime/cublas_lt.h"

#include "compiler/runtime/cublas_types.h"

namespace pyc::runtime {

LtLibrary::LtLibrary(const std::string &folder) {
  library.open({"libcublasLt.so.13", "libcublasLt.so.12"}, folder);
  library.resolve("cublasLtCreate", &create);
  library.resolve("cublasLtDestroy", &destroy);
  library.resolve("cublasLtGetVersion", &version);
  library.resolve("cublasLtGetStatusString", &status_string);
  library.resolve("cublasLtMatmul", &matmul);
  library.resolve("cublasLtMatmulAlgoCheck", &algo_check);
  library.resolve("cublasLtMatmulAlgoGetHeuristic", &heuristic);
  library.resolve("cublasLtMatmulDescCreate", &desc_create);
  library.resolve("cublasLtMatmulDescDestroy", &desc_destroy);
  library.resolve("cublasLtMatmulDescSetAttribute", &desc_set);
  library.resolve("cublasLtMatrixLayoutCreate", &layout_create);
  library.resolve("cublasLtMatrixLayoutDestroy", &layout_destroy);
  library.resolve("cublasLtMatrixLayoutSetAttribute", &layout_set);
  library.resolve("cublasLtMatmulPreferenceCreate", &preference_create);
  library.resolve("cublasLtMatmulPreferenceDestroy", &preference_destroy);
  library.resolve("cublasLtMatmulPreferenceSetAttribute", &preference_set);
}

LtDescriptors::LtDescriptors(const LtLibrary &lt, const Problem &problem) : lt_(lt) {
  const pyc_gemm_desc &desc = problem.desc();
  const ColumnMajor cm = column_major(desc);
  set_operation(desc, cm);
  set_layout(&first, cm.first, desc.stride_b, desc);
  set_layout(&second, cm.second, desc.stride_a, desc);
  set_layout(&c, {false, cm.m, cm.n, cm.ldc}, desc.stride_c, desc);
  set_preference(problem);
}

LtDescriptors::~LtDescriptors() {
  if (preference != nullptr) lt_.preference_destroy(preference);
  for (cublasLtMatrixLayout_t layout : {first, second, c}) {
    if (layout != nullptr) lt_.layout_destroy(layout);
  }
  if (operation != nullptr) lt_.desc_destroy(operation);
}

void LtDescriptors::set_operation(const pyc_gemm_desc &desc, const ColumnMajor &cm) {
  check(lt_.desc_create(&operation, compute_type(desc), CUDA_R_32F));
  const cublasOperation_t transpose_first = cm.first.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasOperation_t transpose_second = cm.second.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  check(lt_.desc_set(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transpose_first, sizeof transpose_first));
  check(lt_.desc_set(operation, CUBLASLT_MATMUL_DESC_TRANSB, &transpose_second, sizeof transpose_second));
}

// The caller has checked that the batch fits the library's int32_t.
void LtDescriptors::set_layout(cublasLtMatrixLayout_t *layout, const ColumnMajor::Operand &operand, int64_t stride,
                               const pyc_gemm_desc &desc) {
  check(
      lt_.layout_create(layout, cuda_type(desc.dtype), uint64_t(operand.rows), uint64_t(operand.columns), operand.ld));
  if (desc.batch_count == 1 || status_ != CUBLAS_STATUS_SUCCESS) return;
  const auto batch_count = int32_t(desc.batch_count);
  check(lt_.layout_set(*layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch_count, sizeof batch_count));
  check(lt_.layout_set(*layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
}

// Partial sums stay in the compute type; where bits must repeat, there are none. What is not set here defaults to a
// promise of 256-byte pointers and to no workspace.
void LtDescriptors::set_preference(const Problem &problem) {
  const bool repeatable = problem.desc().determinism == PYC_DETERMINISM_REPEATABLE;
  const uint32_t reductions = repeatable ? CUBLASLT_REDUCTION_SCHEME_NONE : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  check(lt_.preference_create(&preference));
  prefer<uint64_t>(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, problem.max_workspace_bytes);
  prefer<uint32_t>(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions);
  prefer<uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, problem.align_b);
  prefer<uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, problem.align_a);
  prefer<uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, problem.align_c);
  prefer<uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, problem.align_c);
}

}  // namespace pyc::runtime
