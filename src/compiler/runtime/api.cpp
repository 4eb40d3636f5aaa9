// Contexts and calls of pyc/gemm.h: arguments are checked and exceptions stopped here, and nothing else happens here.
#include <cstdlib>
#include <utility>

#include "compiler/runtime/context.h"
#include "compiler/runtime/descriptor.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/explanation.h"
#include "compiler/runtime/gemm_plan.h"
#include "compiler/runtime/guarded.h"
#include "compiler/runtime/promoted.h"
#include "compiler/runtime/struct_size.h"
#include "pyc/gemm.h"

namespace {

using namespace pyc::runtime;

pyc_status check_forced_symbol(const Settings &settings) {
  if (settings.forced_symbol.empty() || find_promoted(promoted_kernels(), settings.forced_symbol)) {
    return PYC_STATUS_SUCCESS;
  }
  return fail(PYC_STATUS_NO_KERNEL, "PYC_PROMOTED_GEMM_SYMBOL is \"%s\": no such kernel among the %zu compiled in",
              settings.forced_symbol.c_str(), promoted_kernels().size());
}

pyc_status create(int32_t ordinal, pyc_context **context) {
  Settings settings;
  if (pyc_status status = read_settings([](const char *name) { return std::getenv(name); }, &settings)) return status;
  if (pyc_status status = check_forced_symbol(settings)) return status;
  Device device;
  if (ordinal != PYC_DEVICE_HOST) {
    if (pyc_status status = open_device(ordinal, &device)) return status;
  }
  *context = new pyc_context{std::make_shared<Context>(device, settings)};
  return PYC_STATUS_SUCCESS;
}

pyc_status check_call(const pyc_gemm_desc *given, float alpha, const void *a, const void *b, const void *c,
                      pyc_gemm_desc *desc) {
  if (pyc_status status = check_descriptor(given, desc)) return status;
  return check_matrices(*desc, alpha, a, b, c);
}

pyc_status no_context() { return fail(PYC_STATUS_INVALID_VALUE, "context is NULL"); }

}  // namespace

pyc_status pyc_context_create(int32_t device, pyc_context **context) {
  if (context == nullptr) return no_context();
  *context = nullptr;
  return guarded([&] { return create(device, context); });
}

// Libraries free their memory on the device that is current.
void pyc_context_destroy(pyc_context *context) {
  if (context == nullptr) return;
  const Device device = context->shared->device();
  const DeviceGuard guard(device);
  delete context;
}

pyc_status pyc_gemm(pyc_context *context, const pyc_gemm_desc *desc, float alpha, const void *a, const void *b,
                    float beta, void *c, void *stream) {
  if (context == nullptr) return no_context();
  Context &shared = *context->shared;
  pyc_gemm_desc checked;
  pyc_status status = check_call(desc, alpha, a, b, c, &checked);
  if (status == PYC_STATUS_SUCCESS) {
    status = guarded([&] { return shared.gemm(make_call(checked, alpha, a, b, beta, c, stream)); });
  }
  if (status != PYC_STATUS_SUCCESS) shared.counters().count_failure();
  return status;
}

pyc_status pyc_gemm_explain(pyc_context *context, const pyc_gemm_desc *desc, float alpha, const void *a, const void *b,
                            float beta, const void *c, void *stream, pyc_rung_report *reports, size_t capacity,
                            size_t *count) {
  if (context == nullptr) return no_context();
  pyc_gemm_desc checked;
  if (pyc_status status = check_call(desc, alpha, a, b, c, &checked)) return status;
  if (pyc_status status = check_reports(reports, capacity, count)) return status;
  return guarded([&] {
    Explanation explanation;
    const Call call = make_call(checked, alpha, a, b, beta, const_cast<void *>(c), stream);
    if (pyc_status status = context->shared->explain(call, &explanation)) return status;
    copy_reports(explanation, reports, capacity, count);
    return PYC_STATUS_SUCCESS;
  });
}

pyc_status pyc_gemm_warmup(pyc_context *context, const pyc_gemm_desc *desc, const pyc_gemm_plan_options *options,
                           void *stream) {
  if (context == nullptr) return no_context();
  pyc_gemm_desc checked;
  pyc_gemm_plan_options checked_options;
  if (pyc_status status = check_descriptor(desc, &checked)) return status;
  if (pyc_status status = check_plan_options(options, checked, &checked_options)) return status;
  checked_options.max_workspace_bytes = PYC_WORKSPACE_BYTES;  // what pyc_gemm will have
  return guarded([&] {
    Context &shared = *context->shared;
    const DeviceGuard guard(shared.device());
    if (guard.status() != PYC_STATUS_SUCCESS) return guard.status();
    return shared.warm_up(promised_problem(shared.device(), checked, checked_options), stream);
  });
}

pyc_status pyc_context_counters(const pyc_context *context, pyc_counters *counters) {
  if (context == nullptr) return no_context();
  if (counters == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "counters is NULL");
  if (pyc_status status = check_struct_size("counters", counters->struct_size, {sizeof *counters})) return status;
  *counters = context->shared->counters().totals();
  return PYC_STATUS_SUCCESS;
}
