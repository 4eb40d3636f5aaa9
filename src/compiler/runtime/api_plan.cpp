// Plans of pyc/gemm.h.
#include <memory>

#include "compiler/runtime/descriptor.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/explanation.h"
#include "compiler/runtime/gemm_plan.h"
#include "compiler/runtime/guarded.h"
#include "pyc/gemm.h"

namespace {

using namespace pyc::runtime;

pyc_status no_plan() { return fail(PYC_STATUS_INVALID_VALUE, "plan is NULL"); }

}  // namespace

pyc_status pyc_gemm_plan_create(pyc_context *context, const pyc_gemm_desc *desc, const pyc_gemm_plan_options *options,
                                pyc_gemm_plan **plan) {
  if (plan == nullptr) return no_plan();
  *plan = nullptr;
  if (context == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "context is NULL");
  pyc_gemm_desc checked;
  pyc_gemm_plan_options checked_options;
  if (pyc_status status = check_descriptor(desc, &checked)) return status;
  if (pyc_status status = check_plan_options(options, checked, &checked_options)) return status;
  return guarded([&] {
    auto made = std::make_unique<pyc_gemm_plan>(context->shared, checked, checked_options);
    const pyc_status status = made->choose();
    if (status == PYC_STATUS_SUCCESS) *plan = made.release();
    return status;
  });
}

// The plan may be the last that keeps the context.
void pyc_gemm_plan_destroy(pyc_gemm_plan *plan) {
  if (plan == nullptr) return;
  const Device device = plan->context().device();
  const DeviceGuard guard(device);
  delete plan;
}

pyc_status pyc_gemm_plan_workspace(const pyc_gemm_plan *plan, size_t *bytes) {
  if (plan == nullptr) return no_plan();
  if (bytes == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "bytes is NULL");
  *bytes = plan->workspace_bytes();
  return PYC_STATUS_SUCCESS;
}

pyc_status pyc_gemm_plan_run(const pyc_gemm_plan *plan, float alpha, const void *a, const void *b, float beta, void *c,
                             void *workspace, size_t workspace_bytes, void *stream) {
  if (plan == nullptr) return no_plan();
  pyc_status status = check_matrices(plan->desc(), alpha, a, b, c);
  if (status == PYC_STATUS_SUCCESS) {
    Call call = make_call(plan->desc(), alpha, a, b, beta, c, stream);
    call.args.workspace = workspace;
    call.args.workspace_bytes = workspace_bytes;
    status = guarded([&] { return plan->run(call); });
  }
  if (status != PYC_STATUS_SUCCESS) plan->context().counters().count_failure();
  return status;
}

pyc_status pyc_gemm_plan_warmup(const pyc_gemm_plan *plan, void *stream) {
  if (plan == nullptr) return no_plan();
  return guarded([&] { return plan->warm_up(stream); });
}

pyc_status pyc_gemm_plan_explain(const pyc_gemm_plan *plan, pyc_rung_report *reports, size_t capacity, size_t *count) {
  if (plan == nullptr) return no_plan();
  if (pyc_status status = check_reports(reports, capacity, count)) return status;
  copy_reports(plan->explanation(), reports, capacity, count);
  return PYC_STATUS_SUCCESS;
}
