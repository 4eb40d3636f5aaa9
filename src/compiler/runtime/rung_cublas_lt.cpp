// cuBLASLt, opened at run time, with the first of its proposed algorithms that it confirms, or the fastest if the
// settings ask for a measurement.
#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "compiler/runtime/cublas_lt.h"
#include "compiler/runtime/cublas_lt_measure.h"
#include "compiler/runtime/cuda_status.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

constexpr int kAlgorithmsAsked = 8;

class LtPlan : public Plan {
 public:
  LtPlan(const LtLibrary &lt, cublasLtHandle_t handle, std::unique_ptr<LtDescriptors> descriptors,
         const LtAlgorithm &algorithm)
      : lt_(lt), handle_(handle), descriptors_(std::move(descriptors)), algorithm_(algorithm) {}

  pyc_status run(const Call &call) const override {
    const cublasStatus_t status = lt_matmul(lt_, handle_, *descriptors_, algorithm_, call);
    if (status == CUBLAS_STATUS_SUCCESS) return PYC_STATUS_SUCCESS;
    const bool refused = status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE;
    return fail(refused ? PYC_STATUS_UNSUPPORTED : PYC_STATUS_DEVICE_ERROR, "cublasLtMatmul: %s",
                lt_.status_string(status));
  }

  size_t workspace_bytes() const override { return algorithm_.workspace_bytes; }
  const char *symbol() const override { return "cublasLtMatmul"; }

 private:
  const LtLibrary &lt_;
  const cublasLtHandle_t handle_;
  const std::unique_ptr<LtDescriptors> descriptors_;
  const LtAlgorithm algorithm_;
};

class RungCublasLt : public Rung {
 public:
  explicit RungCublasLt(const Settings &settings)
      : folder_(settings.cuda_library_folder), measures_(settings.measure_algorithms) {}
  ~RungCublasLt() override {
    if (handle_ != nullptr && driver_is_alive()) lt_->destroy(handle_);
  }

  Decision consider(const Problem &problem) override {
    if (problem.on_host()) return Decision::refuse(PYC_REASON_HOST_CONTEXT);
    if (problem.desc().batch_count > std::numeric_limits<int32_t>::max()) {
      return Decision::refuse(PYC_REASON_SIZE_LIMIT, "batch_count is " + std::to_string(problem.desc().batch_count));
    }
    std::call_once(opened_, [this] { open(); });
    if (!lt_->library.is_open()) return Decision::refuse(PYC_REASON_LIBRARY_MISSING, lt_->library.error());
    if (handle_ == nullptr) return refuse("cublasLtCreate", open_status_);
    auto descriptors = std::make_unique<LtDescriptors>(*lt_, problem);
    if (descriptors->status() != CUBLAS_STATUS_SUCCESS) return refuse("descriptors", descriptors->status());
    return choose_algorithm(problem, std::move(descriptors));
  }

 private:
  Decision choose_algorithm(const Problem &problem, std::unique_ptr<LtDescriptors> descriptors) {
    const LtDescriptors &d = *descriptors;
    std::array<cublasLtMatmulHeuristicResult_t, kAlgorithmsAsked> results = {};
    int found = 0;
    const cublasStatus_t status = lt_->heuristic(handle_, d.operation, d.first, d.second, d.c, d.c, d.preference,
                                                 kAlgorithmsAsked, results.data(), &found);
    if (status != CUBLAS_STATUS_SUCCESS) return refuse("cublasLtMatmulAlgoGetHeuristic", status);
    const std::vector<LtAlgorithm> confirmed = confirm({results.data(), size_t(found)}, d, problem.max_workspace_bytes);
    if (confirmed.empty()) {
      return Decision::refuse(PYC_REASON_LIBRARY_REFUSED, "none of " + std::to_string(found) + " algorithms passed");
    }
    LtChoice choice = {confirmed.front(), "proposed first"};
    if (measures_ && problem.may_measure) {
      const std::lock_guard alone(measuring_);  // measurements of several threads would disturb one another
      choice = fastest_algorithm(*lt_, handle_, d, confirmed, problem);
    }
    const std::string detail = lt_->library.name() + " " + std::to_string(lt_->version()) + ", algorithm " +
                               std::to_string(choice.algorithm.rank) + " of " + std::to_string(found) + " (" +
                               choice.why + "), workspace " + std::to_string(choice.algorithm.workspace_bytes);
    return Decision::accept(std::make_shared<LtPlan>(*lt_, handle_, std::move(descriptors), choice.algorithm), detail);
  }

  // Those that the library confirms for these descriptors. The check knows the workspace that will be needed.
  std::vector<LtAlgorithm> confirm(std::span<const cublasLtMatmulHeuristicResult_t> results, const LtDescriptors &d,
                                   size_t max_workspace_bytes) const {
    std::vector<LtAlgorithm> confirmed;
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].state != CUBLAS_STATUS_SUCCESS) continue;
      cublasLtMatmulHeuristicResult_t checked = {};
      const cublasStatus_t status =
          lt_->algo_check(handle_, d.operation, d.first, d.second, d.c, d.c, &results[i].algo, &checked);
      if (status != CUBLAS_STATUS_SUCCESS || checked.workspaceSize > max_workspace_bytes) continue;
      confirmed.push_back({results[i].algo, checked.workspaceSize, int(i) + 1});
    }
    return confirmed;
  }

  Decision refuse(const char *call, cublasStatus_t status) const {
    return Decision::refuse(PYC_REASON_LIBRARY_REFUSED, std::string(call) + ": " + lt_->status_string(status));
  }

  void open() {
    lt_ = std::make_unique<LtLibrary>(folder_);
    if (!lt_->library.is_open()) return;
    open_status_ = lt_->create(&handle_);
    if (open_status_ != CUBLAS_STATUS_SUCCESS) handle_ = nullptr;
  }

  const std::string folder_;
  const bool measures_;
  std::once_flag opened_;
  std::unique_ptr<LtLibrary> lt_;
  cublasStatus_t open_status_ = CUBLAS_STATUS_SUCCESS;
  cublasLtHandle_t handle_ = nullptr;
  std::mutex measuring_;
};

}  // namespace

std::unique_ptr<Rung> make_rung_cublas_lt(const Settings &settings) { return std::make_unique<RungCublasLt>(settings); }

}  // namespace pyc::runtime
