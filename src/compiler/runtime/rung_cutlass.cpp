// The second rung: kernels compiled from the CUTLASS headers, where the build had them.
#include "compiler/runtime/batch.h"
#include "compiler/runtime/cutlass.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/kernel_plan.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

// Each kernel computes every element in one block and in one order, so its bits repeat.
class RungCutlass : public Rung {
 public:
  Decision consider(const Problem &problem) override {
    if (!built_with_cuda()) return Decision::refuse(PYC_REASON_BUILT_WITHOUT_CUDA);
    if (problem.on_host()) return Decision::refuse(PYC_REASON_HOST_CONTEXT);
    const CutlassSelection selection = select_cutlass(cutlass_kernels(), problem);
    if (selection.kernel == nullptr) return Decision::refuse(selection.objection.reason, selection.objection.detail);
    if (problem.is_batch() && !fills_device(problem)) {
      return Decision::refuse(PYC_REASON_BATCH, std::to_string(problem.desc().batch_count) + " products of " +
                                                    pyc_shape_family_name(problem.family));
    }
    const CutlassKernel &kernel = *selection.kernel;
    return decide_on_kernel(kernel.symbol, kernel.run, kernel.workspace, problem, kernel.arch);
  }
};

}  // namespace

std::unique_ptr<Rung> make_rung_cutlass() { return std::make_unique<RungCutlass>(); }

}  // namespace pyc::runtime
