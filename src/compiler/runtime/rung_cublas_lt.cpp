// The second rung: cuBLASLt, opened at run time, with the first of its proposed algorithms that it confirms.
#include <array>
#include <cublasLt.h>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "compiler/runtime/column_major.h"
#include "compiler/runtime/cuda_status.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/dynamic_library.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

constexpr int kAlgorithmsAsked = 8;

struct LtLibrary {
  DynamicLibrary library;
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtGetStatusString) status_string;
  decltype(&cublasLtMatmul) matmul;
  decltype(&cublasLtMatmulAlgoCheck) algo_check;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic;
  decltype(&cublasLtMatmulDescCreate) desc_create;
  decltype(&cublasLtMatmulDescDestroy) desc_destroy;
  decltype(&cublasLtMatmulDescSetAttribute) desc_set;
  decltype(&cublasLtMatrixLayoutCreate) layout_create;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set;

  LtLibrary() {
    library.open({"libcublasLt.so.13", "libcublasLt.so.12"});
    library.resolve("cublasLtCreate", &create);
    library.resolve("cublasLtDestroy", &destroy);
    library.resolve("cublasLtGetStatusString", &status_string);
    library.resolve("cublasLtMatmul", &matmul);
    library.resolve("cublasLtMatmulAlgoCheck", &algo_check);
    library.resolve("cublasLtMatmulAlgoGetHeuristic", &heuristic);
    library.resolve("cublasLtMatmulDescCreate", &desc_create);
    library.resolve("cublasLtMatmulDescDestroy", &desc_destroy);
    library.resolve("cublasLtMatmulDescSetAttribute", &desc_set);
    library.resolve("cublasLtMatrixLayoutCreate", &layout_create);
    library.resolve("cublasLtMatrixLayoutDestroy", &layout_destroy);
    library.resolve("cublasLtMatmulPreferenceCreate", &preference_create);
    library.resolve("cublasLtMatmulPreferenceDestroy", &preference_destroy);
    library.resolve("cublasLtMatmulPreferenceSetAttribute", &preference_set);
  }
};

cudaDataType cuda_type(int32_t dtype) {
  if (dtype == PYC_DTYPE_FP16) return CUDA_R_16F;
  return dtype == PYC_DTYPE_BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

cublasComputeType_t compute_type(const pyc_gemm_desc &desc) {
  const bool tf32 = desc.dtype == PYC_DTYPE_FP32 && desc.precision == PYC_PRECISION_ALLOW_TF32;
  return tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

// The descriptors of one product, and the first failure among the calls that made them.
class LtDescriptors {
 public:
  LtDescriptors(const LtLibrary &lt, const Problem &problem) : lt_(lt) {
    const ColumnMajor cm = column_major(problem.desc());
    const cudaDataType type = cuda_type(problem.desc().dtype);
    set_operation(problem.desc(), cm);
    check(lt_.layout_create(&first, type, uint64_t(cm.first.rows), uint64_t(cm.first.columns), cm.first.ld));
    check(lt_.layout_create(&second, type, uint64_t(cm.second.rows), uint64_t(cm.second.columns), cm.second.ld));
    check(lt_.layout_create(&c, type, uint64_t(cm.m), uint64_t(cm.n), cm.ldc));
    set_preference(problem);
  }

  ~LtDescriptors() {
    if (preference != nullptr) lt_.preference_destroy(preference);
    for (cublasLtMatrixLayout_t layout : {first, second, c}) {
      if (layout != nullptr) lt_.layout_destroy(layout);
    }
    if (operation != nullptr) lt_.desc_destroy(operation);
  }
  LtDescriptors(const LtDescriptors &) = delete;
  LtDescriptors &operator=(const LtDescriptors &) = delete;

  cublasStatus_t status() const { return status_; }

  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, c = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;

 private:
  void set_operation(const pyc_gemm_desc &desc, const ColumnMajor &cm) {
    check(lt_.desc_create(&operation, compute_type(desc), CUDA_R_32F));
    const cublasOperation_t transpose_first = cm.first.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t transpose_second = cm.second.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    check(lt_.desc_set(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transpose_first, sizeof transpose_first));
    check(lt_.desc_set(operation, CUBLASLT_MATMUL_DESC_TRANSB, &transpose_second, sizeof transpose_second));
  }

  // Partial sums stay in the compute type; where bits must repeat, there are none. What is not set here defaults to a
  // promise of 256-byte pointers and to no workspace.
  void set_preference(const Problem &problem) {
    const bool repeatable = problem.desc().determinism == PYC_DETERMINISM_REPEATABLE;
    const uint32_t reductions = repeatable ? CUBLASLT_REDUCTION_SCHEME_NONE : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    check(lt_.preference_create(&preference));
    prefer<uint64_t>(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Workspaces::kBytes);
    prefer<uint32_t>(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions);
    prefer<uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, problem.align_b);
    prefer<uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, problem.align_a);
    prefer<uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, problem.align_c);
    prefer<uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, problem.align_c);
  }

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

class LtPlan : public Plan {
 public:
  LtPlan(const LtLibrary &lt, cublasLtHandle_t handle, std::unique_ptr<LtDescriptors> descriptors,
         const cublasLtMatmulAlgo_t &algorithm, size_t workspace_bytes, Workspaces &workspaces)
      : lt_(lt),
        handle_(handle),
        descriptors_(std::move(descriptors)),
        algorithm_(algorithm),
        workspace_bytes_(workspace_bytes),
        workspaces_(workspaces) {}

  pyc_status run(const Call &call) const override {
    const pyc_gemm_args &x = call.args;
    const LtDescriptors &d = *descriptors_;
    void *workspace = nullptr;
    if (workspace_bytes_ > 0) {
      if (pyc_status status = workspaces_.acquire(call.stream, &workspace)) return status;
    }
    const cublasStatus_t status =
        lt_.matmul(handle_, d.operation, &x.alpha, x.b, d.first, x.a, d.second, &x.beta, x.c, d.c, x.c, d.c,
                   &algorithm_, workspace, workspace_bytes_, static_cast<cudaStream_t>(call.stream));
    if (status == CUBLAS_STATUS_SUCCESS) return PYC_STATUS_SUCCESS;
    const bool refused = status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE;
    return fail(refused ? PYC_STATUS_UNSUPPORTED : PYC_STATUS_DEVICE_ERROR, "cublasLtMatmul: %s",
                lt_.status_string(status));
  }

  const char *symbol() const override { return "cublasLtMatmul"; }

 private:
  const LtLibrary &lt_;
  const cublasLtHandle_t handle_;
  const std::unique_ptr<LtDescriptors> descriptors_;
  const cublasLtMatmulAlgo_t algorithm_;
  const size_t workspace_bytes_;
  Workspaces &workspaces_;
};

class RungCublasLt : public Rung {
 public:
  explicit RungCublasLt(Workspaces &workspaces) : workspaces_(workspaces) {}
  ~RungCublasLt() override {
    if (handle_ != nullptr) lt_->destroy(handle_);
  }

  Decision consider(const Problem &problem) override {
    if (problem.on_host()) return Decision::refuse(PYC_REASON_HOST_CONTEXT);
    std::call_once(opened_, [this] { open(); });
    if (!lt_->library.is_open()) return Decision::refuse(PYC_REASON_LIBRARY_MISSING, lt_->library.error());
    if (handle_ == nullptr) return refuse("cublasLtCreate", open_status_);
    auto descriptors = std::make_unique<LtDescriptors>(*lt_, problem);
    if (descriptors->status() != CUBLAS_STATUS_SUCCESS) return refuse("descriptors", descriptors->status());
    return choose_algorithm(std::move(descriptors));
  }

 private:
  Decision choose_algorithm(std::unique_ptr<LtDescriptors> descriptors) {
    const LtDescriptors &d = *descriptors;
    std::array<cublasLtMatmulHeuristicResult_t, kAlgorithmsAsked> results = {};
    int found = 0;
    const cublasStatus_t status = lt_->heuristic(handle_, d.operation, d.first, d.second, d.c, d.c, d.preference,
                                                 kAlgorithmsAsked, results.data(), &found);
    if (status != CUBLAS_STATUS_SUCCESS) return refuse("cublasLtMatmulAlgoGetHeuristic", status);
    for (int i = 0; i < found; ++i) {
      const cublasLtMatmulHeuristicResult_t &result = results[size_t(i)];
      cublasLtMatmulHeuristicResult_t checked = {};
      if (result.state != CUBLAS_STATUS_SUCCESS) continue;
      const cublasStatus_t confirmed =
          lt_->algo_check(handle_, d.operation, d.first, d.second, d.c, d.c, &result.algo, &checked);
      if (confirmed != CUBLAS_STATUS_SUCCESS || checked.workspaceSize > Workspaces::kBytes) continue;
      const std::string detail = lt_->library.name() + ", algorithm " + std::to_string(i + 1) + " of " +
                                 std::to_string(found) + ", workspace " + std::to_string(checked.workspaceSize);
      return Decision::accept(std::make_shared<LtPlan>(*lt_, handle_, std::move(descriptors), result.algo,
                                                       checked.workspaceSize, workspaces_),
                              detail);
    }
    return Decision::refuse(PYC_REASON_LIBRARY_REFUSED, "none of " + std::to_string(found) + " algorithms passed");
  }

  Decision refuse(const char *call, cublasStatus_t status) const {
    return Decision::refuse(PYC_REASON_LIBRARY_REFUSED, std::string(call) + ": " + lt_->status_string(status));
  }

  void open() {
    lt_ = std::make_unique<LtLibrary>();
    if (!lt_->library.is_open()) return;
    open_status_ = lt_->create(&handle_);
    if (open_status_ != CUBLAS_STATUS_SUCCESS) handle_ = nullptr;
  }

  Workspaces &workspaces_;
  std::once_flag opened_;
  std::unique_ptr<LtLibrary> lt_;
  cublasStatus_t open_status_ = CUBLAS_STATUS_SUCCESS;
  cublasLtHandle_t handle_ = nullptr;
};

}  // namespace

std::unique_ptr<Rung> make_rung_cublas_lt(Workspaces &workspaces) { return std::make_unique<RungCublasLt>(workspaces); }

}  // namespace pyc::runtime
