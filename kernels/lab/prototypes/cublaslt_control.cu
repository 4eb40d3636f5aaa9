// C = A * B in bf16 by cuBLASLt: what the vendor's library reaches, as a ceiling beside the prototypes.
//
// The library thinks in columns: a row-major matrix is the transpose of a column-major one, so C' = B' * A' is asked
// for, with the operands exchanged and nothing moved. Of the algorithms that the heuristic names each is timed, and the
// fastest is kept.
#include <cublasLt.h>

#include "gemm_program.cuh"

#define LAB_CHECK_BLAS(call)                                                                                          \
  do {                                                                                                                \
    const cublasStatus_t lab_status = (call);                                                                         \
    if (lab_status != CUBLAS_STATUS_SUCCESS) {                                                                        \
      std::fprintf(stderr, "error: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasLtGetStatusString(lab_status)); \
      std::exit(3);                                                                                                   \
    }                                                                                                                 \
  } while (0)

namespace {

using Element = __nv_bfloat16;

constexpr std::size_t kWorkspaceBytes = 64 << 20;
constexpr int kAlgorithms = 16, kTrials = 5;

cublasLtMatrixLayout_t layout_of(int rows, int columns) {
  cublasLtMatrixLayout_t layout;
  LAB_CHECK_BLAS(cublasLtMatrixLayoutCreate(&layout, CUDA_R_16BF, rows, columns, rows));
  return layout;
}

// Made for one problem; lives as long as the program.
class Control {
 public:
  explicit Control(const lab::Gemm<Element> &gemm) : gemm_(gemm) {
    LAB_CHECK_BLAS(cublasLtCreate(&library_));
    LAB_CHECK(cudaMalloc(&workspace_, kWorkspaceBytes));
    LAB_CHECK_BLAS(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    left_ = layout_of(gemm.n, gemm.k), right_ = layout_of(gemm.k, gemm.m), result_ = layout_of(gemm.n, gemm.m);
    choose_algorithm();
  }

  void run() const { run(algorithm_); }

 private:
  void run(const cublasLtMatmulAlgo_t &algorithm) const {
    const float one = 1, zero = 0;
    LAB_CHECK_BLAS(cublasLtMatmul(library_, operation_, &one, gemm_.b, left_, gemm_.a, right_, &zero, gemm_.c, result_,
                                  gemm_.c, result_, &algorithm, workspace_, kWorkspaceBytes, nullptr));
  }

  std::vector<cublasLtMatmulHeuristicResult_t> candidates() const {
    cublasLtMatmulPreference_t preference;
    LAB_CHECK_BLAS(cublasLtMatmulPreferenceCreate(&preference));
    LAB_CHECK_BLAS(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                        &kWorkspaceBytes, sizeof kWorkspaceBytes));
    std::vector<cublasLtMatmulHeuristicResult_t> found(kAlgorithms);
    int count = 0;
    LAB_CHECK_BLAS(cublasLtMatmulAlgoGetHeuristic(library_, operation_, left_, right_, result_, result_, preference,
                                                  kAlgorithms, found.data(), &count));
    LAB_CHECK_BLAS(cublasLtMatmulPreferenceDestroy(preference));
    found.resize(count);
    return found;
  }

  void choose_algorithm() {
    float best_ms = HUGE_VALF;
    lab::Arguments trial;
    trial.warmup = 1, trial.repeats = kTrials;
    for (const cublasLtMatmulHeuristicResult_t &candidate : candidates()) {
      const std::vector<float> times_ms = lab::time_calls(trial, [&] { run(candidate.algo); });
      const float time_ms = *std::min_element(times_ms.begin(), times_ms.end());
      if (time_ms >= best_ms) continue;
      best_ms = time_ms;
      algorithm_ = candidate.algo;
    }
    if (best_ms < HUGE_VALF) return;
    std::fprintf(stderr, "error: cuBLASLt has no algorithm for this problem\n");
    std::exit(3);
  }

  lab::Gemm<Element> gemm_;
  cublasLtHandle_t library_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t left_ = nullptr, right_ = nullptr, result_ = nullptr;
  cublasLtMatmulAlgo_t algorithm_{};
  void *workspace_ = nullptr;
};

}  // namespace

int main(int argc, char **argv) {
  Control *control = nullptr;
  return lab::gemm_program<Element>({"cublaslt_control_bf16", 1, 1, 1}, argc, argv, [&](const auto &gemm) {
    if (!control) control = new Control(gemm);
    control->run();
  });
}
