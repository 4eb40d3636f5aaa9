// The first rung: the kernel that was promoted for the call's selector and the device's arch.
#include "compiler/runtime/batch.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/names.h"
#include "compiler/runtime/promoted.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

class PromotedPlan : public Plan {
 public:
  PromotedPlan(const PromotedKernel &kernel, size_t workspace_bytes)
      : kernel_(kernel), workspace_bytes_(workspace_bytes) {}

  // The products of a batch share the workspace: on one stream they follow one another.
  pyc_status run(const Call &call) const override {
    return for_each_product(call, [&](const pyc_gemm_args &args) {
      const pyc_status status = kernel_.run(&args, call.stream);
      if (status == PYC_STATUS_SUCCESS) return status;
      return fail(status, "%s answered \"%s\"", kernel_.symbol, status_string(status));
    });
  }

  size_t workspace_bytes() const override { return workspace_bytes_; }
  const char *symbol() const override { return kernel_.symbol; }

 private:
  const PromotedKernel &kernel_;
  const size_t workspace_bytes_;
};

class RungPromoted : public Rung {
 public:
  explicit RungPromoted(const PromotedKernel *forced) : forced_(forced) {}

  Decision consider(const Problem &problem) override {
    if (!built_with_cuda()) return Decision::refuse(PYC_REASON_BUILT_WITHOUT_CUDA);
    if (problem.on_host()) return Decision::refuse(PYC_REASON_HOST_CONTEXT);
    const Selection selection = forced_ ? admit_promoted(*forced_, problem)  //
                                        : select_promoted(promoted_kernels(), problem);
    if (selection.kernel == nullptr) return Decision::refuse(selection.reason, selection.detail);
    if (problem.is_batch() && forced_ == nullptr && !fills_device(problem)) {
      return Decision::refuse(
          PYC_REASON_BATCH, std::to_string(problem.desc().batch_count) + " products of " + selection.kernel->selector);
    }
    return accept(*selection.kernel, problem);
  }

 private:
  static Decision accept(const PromotedKernel &kernel, const Problem &problem) {
    const pyc_gemm_args probe = problem.probe();
    const size_t needed = kernel.workspace ? kernel.workspace(&probe) : 0;
    if (needed > problem.max_workspace_bytes) {
      return Decision::refuse_workspace(kernel.symbol, needed, problem.max_workspace_bytes);
    }
    return Decision::accept(std::make_shared<PromotedPlan>(kernel, needed),
                            std::string(kernel.selector) + " " + kernel.arch + ": " + kernel.evidence);
  }

  const PromotedKernel *const forced_;  // nullptr: choose by selector
};

}  // namespace

std::unique_ptr<Rung> make_rung_promoted(const Settings &settings) {
  return std::make_unique<RungPromoted>(find_promoted(promoted_kernels(), settings.forced_symbol));
}

}  // namespace pyc::runtime
