// The second rung: kernels compiled from the CUTLASS headers, where the build had them.
#include "compiler/runtime/batch.h"
#include "compiler/runtime/cutlass.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

class CutlassPlan : public Plan {
 public:
  CutlassPlan(const CutlassKernel &kernel, size_t workspace_bytes)
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
  const CutlassKernel &kernel_;
  const size_t workspace_bytes_;
};

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
    const pyc_gemm_args probe = problem.probe();
    const size_t needed = selection.kernel->workspace(&probe);
    if (needed > problem.max_workspace_bytes) {
      return Decision::refuse_workspace(selection.kernel->symbol, needed, problem.max_workspace_bytes);
    }
    return Decision::accept(std::make_shared<CutlassPlan>(*selection.kernel, needed), selection.kernel->arch);
  }
};

}  // namespace

std::unique_ptr<Rung> make_rung_cutlass() { return std::make_unique<RungCutlass>(); }

}  // namespace pyc::runtime
