// cuBLASLt: every algorithm that its heuristic offers, up to the number asked for, is timed cold; the fastest is the
// contender. Row-major C = A*B is asked for as column-major C' = B'*A': the operands change places, nothing moves.
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#define PYC_HAVE_CUBLASLT 1
#endif

#include <algorithm>
#include <vector>

#include "contender.h"
#include "vendor_library.h"

namespace pyc::harness {

#ifdef PYC_HAVE_CUBLASLT
namespace {

struct Functions {
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtGetVersion) version;
  decltype(&cublasLtMatmul) matmul;
  decltype(&cublasLtMatmulDescCreate) desc_create;
  decltype(&cublasLtMatmulDescDestroy) desc_destroy;
  decltype(&cublasLtMatmulDescSetAttribute) desc_set;
  decltype(&cublasLtMatrixLayoutCreate) layout_create;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic;
  decltype(&cublasLtMatmulAlgoConfigGetAttribute) algorithm_get;

  explicit Functions(const VendorLibrary &library) {
    library.look_up("cublasLtCreate", &create);
    library.look_up("cublasLtGetVersion", &version);
    library.look_up("cublasLtMatmul", &matmul);
    library.look_up("cublasLtMatmulDescCreate", &desc_create);
    library.look_up("cublasLtMatmulDescDestroy", &desc_destroy);
    library.look_up("cublasLtMatmulDescSetAttribute", &desc_set);
    library.look_up("cublasLtMatrixLayoutCreate", &layout_create);
    library.look_up("cublasLtMatrixLayoutDestroy", &layout_destroy);
    library.look_up("cublasLtMatmulPreferenceCreate", &preference_create);
    library.look_up("cublasLtMatmulPreferenceDestroy", &preference_destroy);
    library.look_up("cublasLtMatmulPreferenceSetAttribute", &preference_set);
    library.look_up("cublasLtMatmulAlgoGetHeuristic", &heuristic);
    library.look_up("cublasLtMatmulAlgoConfigGetAttribute", &algorithm_get);
  }
};

void require(cublasStatus_t status, const char *call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw std::runtime_error(std::string(call) + " answered status " + std::to_string(static_cast<int>(status)));
  }
}

cudaDataType_t data_type(DType dtype) {
  return dtype == DType::fp32 ? CUDA_R_32F : dtype == DType::fp16 ? CUDA_R_16F : CUDA_R_16BF;
}

uint32_t alignment_of(const void *pointer) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  return static_cast<uint32_t>(std::min<uintptr_t>(address & (~address + 1), 256));
}

// The descriptors of one problem.
class Problem {
 public:
  Problem(const Functions &lt, const Operands &operands) : lt_(lt) {
    const pyc_gemm_args args = operands.args(1.0f, 0.0f);
    require(lt.desc_create(&desc_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
    set_transposition(CUBLASLT_MATMUL_DESC_TRANSA, operands.b());
    set_transposition(CUBLASLT_MATMUL_DESC_TRANSB, operands.a());
    b_ = layout(operands.b(), args.ldb);
    a_ = layout(operands.a(), args.lda);
    c_ = layout(operands.c(), args.ldc);
  }

  ~Problem() {
    if (desc_) (void)lt_.desc_destroy(desc_);
    for (const cublasLtMatrixLayout_t layout : {a_, b_, c_}) {
      if (layout) (void)lt_.layout_destroy(layout);
    }
  }
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;

  std::vector<cublasLtMatmulHeuristicResult_t> algorithms(cublasLtHandle_t handle, const pyc_gemm_args &args,
                                                          int64_t count) const {
    cublasLtMatmulPreference_t preference = nullptr;
    require(lt_.preference_create(&preference), "cublasLtMatmulPreferenceCreate");
    const auto set = [&](cublasLtMatmulPreferenceAttributes_t which, auto value) {
      require(lt_.preference_set(preference, which, &value, sizeof value), "cublasLtMatmulPreferenceSetAttribute");
    };
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, uint64_t{kVendorWorkspaceBytes});
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(args.b));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(args.a));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(args.c));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(args.c));
    std::vector<cublasLtMatmulHeuristicResult_t> results(static_cast<size_t>(count));
    int found = 0;
    const cublasStatus_t status =
        lt_.heuristic(handle, desc_, b_, a_, c_, c_, preference, static_cast<int>(count), results.data(), &found);
    (void)lt_.preference_destroy(preference);
    require(status, "cublasLtMatmulAlgoGetHeuristic");
    results.resize(static_cast<size_t>(found));
    return results;
  }

  cublasStatus_t run(cublasLtHandle_t handle, const pyc_gemm_args &args, const cublasLtMatmulAlgo_t &algorithm,
                     void *workspace, cudaStream_t stream) const {
    return lt_.matmul(handle, desc_, &args.alpha, args.b, b_, args.a, a_, &args.beta, args.c, c_, args.c, c_,
                      &algorithm, workspace, kVendorWorkspaceBytes, stream);
  }

 private:
  void set_transposition(cublasLtMatmulDescAttributes_t which, const Operand &operand) {
    const cublasOperation_t operation = operand.place.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    require(lt_.desc_set(desc_, which, &operation, sizeof operation), "cublasLtMatmulDescSetAttribute");
  }

  // A stored row-major rows x columns matrix is a column-major columns x rows one.
  cublasLtMatrixLayout_t layout(const Operand &operand, int64_t ld) const {
    cublasLtMatrixLayout_t out = nullptr;
    require(lt_.layout_create(&out, data_type(operand.pattern.dtype), static_cast<uint64_t>(operand.place.columns),
                              static_cast<uint64_t>(operand.place.rows), ld),
            "cublasLtMatrixLayoutCreate");
    return out;
  }

  const Functions &lt_;
  cublasLtMatmulDesc_t desc_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
};

class CublasLtContender : public Contender {
 public:
  explicit CublasLtContender(const VendorLibrary &library)
      : lt_(library), workspace_(static_cast<int64_t>(kVendorWorkspaceBytes)) {
    require(lt_.create(&handle_), "cublasLtCreate");
  }

  std::string prepare(const Preparation &preparation) override {
    measured_ = 0;
    problem_ = std::make_unique<Problem>(lt_, preparation.operands);
    const pyc_gemm_args args = preparation.operands.args(1.0f, 0.0f);
    double best_ns = 0;
    std::string last_error = "its heuristic offers no algorithm";
    for (const auto &offer : problem_->algorithms(handle_, args, preparation.algorithms)) {
      if (offer.state != CUBLAS_STATUS_SUCCESS) continue;
      try {
        const auto call = [&] {
          return status_of(problem_->run(handle_, args, offer.algo, workspace_.data(), preparation.stream));
        };
        const double time_ns = preparation.time_call(call, kSamples);
        if (measured_++ == 0 || time_ns < best_ns) best_ns = time_ns, best_ = offer;
      } catch (const std::runtime_error &error) {
        last_error = error.what();
      }
    }
    return measured_ ? "" : last_error;
  }

  size_t workspace_bytes(const pyc_gemm_args &) const override { return 0; }

  pyc_status launch(const pyc_gemm_args &args, cudaStream_t stream) override {
    return status_of(problem_->run(handle_, args, best_.algo, workspace_.data(), stream));
  }

  std::string detail() const override {
    return "cuBLASLt " + std::to_string(lt_.version()) + ", algorithm " + attribute(CUBLASLT_ALGO_CONFIG_ID) +
           ", tile " + attribute(CUBLASLT_ALGO_CONFIG_TILE_ID) + ", stages " +
           attribute(CUBLASLT_ALGO_CONFIG_STAGES_ID) + ", split-k " + attribute(CUBLASLT_ALGO_CONFIG_SPLITK_NUM) +
           ", workspace " + std::to_string(best_.workspaceSize) + " bytes";
  }

  int algorithms_measured() const override { return measured_; }

 private:
  static constexpr int kSamples = 5;

  static pyc_status status_of(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
  }

  std::string attribute(cublasLtMatmulAlgoConfigAttributes_t which) const {
    int32_t value = 0;
    size_t written = 0;
    (void)lt_.algorithm_get(&best_.algo, which, &value, sizeof value, &written);
    return std::to_string(value);
  }

  Functions lt_;
  cublasLtHandle_t handle_ = nullptr;  // lives as long as the process
  Buffer workspace_;
  std::unique_ptr<Problem> problem_;
  cublasLtMatmulHeuristicResult_t best_{};
  int measured_ = 0;
};

}  // namespace
#endif

Entrant open_cublaslt(const Session &session) {
  Entrant entrant{"cublaslt", "cublaslt", "", nullptr};
#ifdef PYC_HAVE_CUBLASLT
  try {
    const VendorLibrary library(session.request.vendor_library_dirs, {"libcublasLt.so.13", "libcublasLt.so.12"});
    entrant.contender = std::make_unique<CublasLtContender>(library);
  } catch (const std::runtime_error &error) {
    entrant.reason = error.what();
  }
#else
  (void)session;
  entrant.reason = "the toolkit that built the harness has no cublasLt.h";
#endif
  return entrant;
}

}  // namespace pyc::harness
