#include "compiler/runtime/kernel_plan.h"

#include "compiler/runtime/batch.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

class KernelPlan : public Plan {
 public:
  KernelPlan(const char *symbol, pyc_gemm_kernel run, size_t workspace_bytes)
      : symbol_(symbol), run_(run), workspace_bytes_(workspace_bytes) {}

  // The products of a batch share the workspace: on one stream they follow one another.
  pyc_status run(const Call &call) const override {
    return for_each_product(call, [&](const pyc_gemm_args &args) {
      const pyc_status status = run_(&args, call.stream);
      if (status == PYC_STATUS_SUCCESS) return status;
      return fail(status, "%s answered \"%s\"", symbol_, status_string(status));
    });
  }

  size_t workspace_bytes() const override { return workspace_bytes_; }
  const char *symbol() const override { return symbol_; }

 private:
  const char *const symbol_;
  const pyc_gemm_kernel run_;
  const size_t workspace_bytes_;
};

}  // namespace

Decision decide_on_kernel(const char *symbol, pyc_gemm_kernel run, pyc_gemm_workspace_query workspace,
                          const Problem &problem, const std::string &detail) {
  const pyc_gemm_args probe = problem.probe();
  const size_t needed = workspace ? workspace(&probe) : 0;
  if (needed > problem.max_workspace_bytes) {
    return Decision::refuse_workspace(symbol, needed, problem.max_workspace_bytes);
  }
  return Decision::accept(std::make_shared<KernelPlan>(symbol, run, needed), detail);
}

}  // namespace pyc::runtime
