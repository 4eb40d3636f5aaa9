// What the cuBLASLt rung needs of the library: its functions, opened at run time, and the descriptors of a problem.
#pragma once

#include <cublasLt.h>

#include "compiler/runtime/column_major.h"
#include "compiler/runtime/dynamic_library.h"
#include "compiler/runtime/problem.h"

namespace pyc::runtime {

struct LtLibrary {
  DynamicLibrary library;
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtGetVersion) version;
  decltype(&cublasLtGetStatusString) status_string;
  decltype(&cublasLtMatmul) matmul;
  decltype(&cublasLtMatmulAlgoCheck) algo_check;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic;
  decltype(&cublasLtMatmulDescCreate) desc_create;
  decltype(&cublasLtMatmulDescDestroy) desc_destroy;
  decltype(&cublasLtMatmulDescSetAttribute) desc_set;
  decltype(&cublasLtMatrixLayoutCreate) layout_create;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy;
  decltype(&cublasLtMatrixLayoutSetAttribute) layout_set;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set;

  // From `folder`, or from wherever it is found if that is empty.
  explicit LtLibrary(const std::string &folder);
};

// The descriptors of one problem, and the first failure among the calls that made them.
class LtDescriptors {
 public:
  LtDescriptors(const LtLibrary &lt, const Problem &problem);
  ~LtDescriptors();
  LtDescriptors(const LtDescriptors &) = delete;
  LtDescriptors &operator=(const LtDescriptors &) = delete;

  cublasStatus_t status() const { return status_; }

  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, c = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;

 private:
  void set_operation(const pyc_gemm_desc &desc, const ColumnMajor &cm);
  void set_layout(cublasLtMatrixLayout_t *layout, const ColumnMajor::Operand &operand, int64_t stride,
                  const pyc_gemm_desc &desc);
  void set_preference(const Problem &problem);

  template <typename T>
  void prefer(cublasLtMatmulPreferenceAttributes_t attribute, T value) {
    check(lt_.preference_set(preference, attribute, &value, sizeof value));
  }
  void check(cublasStatus_t status) {
    if (status_ == CUBLAS_STATUS_SUCCESS) status_ = status;
  }

  const LtLibrary &lt_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

}  // namespace pyc::runtime
