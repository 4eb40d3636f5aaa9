// The first rung: the kernel that was promoted for the call's selector and the device's arch.
#include "compiler/runtime/device.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/promoted.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

class PromotedPlan : public Plan {
 public:
  PromotedPlan(const PromotedKernel &kernel, Workspaces &workspaces) : kernel_(kernel), workspaces_(workspaces) {}

  pyc_status run(const Call &call) const override {
    pyc_gemm_args args = call.args;
    if (kernel_.workspace != nullptr) {
      if (pyc_status status = workspaces_.acquire(call.stream, &args.workspace)) return status;
      args.workspace_bytes = Workspaces::kBytes;
    }
    const pyc_status status = kernel_.run(&args, call.stream);
    if (status == PYC_STATUS_SUCCESS) return status;
    return fail(status, "%s answered with status %d", kernel_.symbol, int(status));
  }

  const char *symbol() const override { return kernel_.symbol; }

 private:
  const PromotedKernel &kernel_;
  Workspaces &workspaces_;
};

class RungPromoted : public Rung {
 public:
  RungPromoted(const PromotedKernel *forced, Workspaces &workspaces) : forced_(forced), workspaces_(workspaces) {}

  Decision consider(const Problem &problem) override {
    if (!built_with_cuda()) return Decision::refuse(PYC_REASON_BUILT_WITHOUT_CUDA);
    if (problem.on_host()) return Decision::refuse(PYC_REASON_HOST_CONTEXT);
    const Selection selection = forced_ ? admit_promoted(*forced_, problem)  //
                                        : select_promoted(promoted_kernels(), problem);
    if (selection.kernel == nullptr) return Decision::refuse(selection.reason, selection.detail);
    const PromotedKernel &kernel = *selection.kernel;
    const size_t needed = kernel.workspace ? kernel.workspace(&problem.call.args) : 0;
    if (needed > Workspaces::kBytes) {
      return Decision::refuse(PYC_REASON_WORKSPACE, std::string(kernel.symbol) + " needs " + std::to_string(needed) +
                                                        " bytes; a stream's workspace has " +
                                                        std::to_string(Workspaces::kBytes));
    }
    return Decision::accept(std::make_shared<PromotedPlan>(kernel, workspaces_),
                            std::string(kernel.selector) + " " + kernel.arch + ": " + kernel.evidence);
  }

 private:
  const PromotedKernel *const forced_;  // nullptr: choose by selector
  Workspaces &workspaces_;
};

}  // namespace

std::unique_ptr<Rung> make_rung_promoted(const Settings &settings, Workspaces &workspaces) {
  return std::make_unique<RungPromoted>(find_promoted(promoted_kernels(), settings.forced_symbol), workspaces);
}

}  // namespace pyc::runtime
