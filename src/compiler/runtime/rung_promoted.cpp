// The first rung: the kernel that was promoted for the call's selector and the device's arch.
#include "compiler/runtime/batch.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/kernel_plan.h"
#include "compiler/runtime/promoted.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

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
    const PromotedKernel &kernel = *selection.kernel;
    return decide_on_kernel(kernel.symbol, kernel.run, kernel.workspace, problem,
                            std::string(kernel.selector) + " " + kernel.arch + ": " + kernel.evidence);
  }

 private:
  const PromotedKernel *const forced_;  // nullptr: choose by selector
};

}  // namespace

std::unique_ptr<Rung> make_rung_promoted(const Settings &settings) {
  return std::make_unique<RungPromoted>(find_promoted(promoted_kernels(), settings.forced_symbol));
}

}  // namespace pyc::runtime
