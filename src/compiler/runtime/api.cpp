// The functions of pyc/gemm.h: arguments are checked and exceptions stopped here, and nothing else happens here.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "compiler/runtime/context.h"
#include "compiler/runtime/descriptor.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/explanation.h"
#include "compiler/runtime/names.h"
#include "compiler/runtime/promoted.h"
#include "pyc/gemm.h"

namespace {

using namespace pyc::runtime;

// Runs `body`, which returns a pyc_status, so that no exception leaves the library.
template <typename Body>
pyc_status guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(PYC_STATUS_OUT_OF_MEMORY, "host memory is exhausted");
  } catch (const std::exception &error) {
    return fail(PYC_STATUS_INTERNAL_ERROR, "%s", error.what());
  }
}

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
  *context = new pyc_context(device, settings);
  return PYC_STATUS_SUCCESS;
}

pyc_status check_call(const pyc_context *context, const pyc_gemm_desc *desc, float alpha, const void *a, const void *b,
                      const void *c) {
  if (context == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "context is NULL");
  return check_arguments(desc, alpha, a, b, c);
}

pyc_status check_reports(const pyc_rung_report *reports, size_t capacity, const size_t *count) {
  if (count == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "count is NULL");
  if (capacity == 0) return PYC_STATUS_SUCCESS;
  if (reports == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "reports is NULL");
  if (reports[0].struct_size == sizeof(pyc_rung_report)) return PYC_STATUS_SUCCESS;
  return fail(PYC_STATUS_INVALID_VALUE, "reports[0].struct_size is %u: this library knows %zu", reports[0].struct_size,
              sizeof(pyc_rung_report));
}

}  // namespace

pyc_status pyc_context_create(int32_t device, pyc_context **context) {
  if (context == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "context is NULL");
  *context = nullptr;
  return guarded([&] { return create(device, context); });
}

void pyc_context_destroy(pyc_context *context) { delete context; }

pyc_status pyc_gemm(pyc_context *context, const pyc_gemm_desc *desc, float alpha, const void *a, const void *b,
                    float beta, void *c, void *stream) {
  pyc_status status = check_call(context, desc, alpha, a, b, c);
  if (status == PYC_STATUS_SUCCESS) {
    status = guarded([&] { return context->gemm(make_call(*desc, alpha, a, b, beta, c, stream)); });
  }
  if (status != PYC_STATUS_SUCCESS && context != nullptr) context->counters().count_failure();
  return status;
}

pyc_status pyc_gemm_explain(pyc_context *context, const pyc_gemm_desc *desc, float alpha, const void *a, const void *b,
                            float beta, const void *c, void *stream, pyc_rung_report *reports, size_t capacity,
                            size_t *count) {
  if (pyc_status status = check_call(context, desc, alpha, a, b, c)) return status;
  if (pyc_status status = check_reports(reports, capacity, count)) return status;
  Explanation explanation;
  const pyc_status status = guarded([&] {
    return context->explain(make_call(*desc, alpha, a, b, beta, const_cast<void *>(c), stream), &explanation);
  });
  if (status != PYC_STATUS_SUCCESS) return status;
  std::copy_n(explanation.begin(), std::min(capacity, explanation.size()), reports);
  *count = explanation.size();
  return status;
}

size_t pyc_explanation_text(const pyc_rung_report *reports, size_t count, char *text, size_t capacity) {
  size_t length = 0;
  guarded([&] {
    const std::string all = explanation_text({reports, count});
    length = all.size();
    if (capacity > 0) text[all.copy(text, capacity - 1)] = '\0';
    return PYC_STATUS_SUCCESS;
  });
  return length;
}

pyc_status pyc_context_counters(const pyc_context *context, pyc_counters *counters) {
  if (context == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "context is NULL");
  if (counters == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "counters is NULL");
  if (counters->struct_size != sizeof(pyc_counters)) {
    return fail(PYC_STATUS_INVALID_VALUE, "counters.struct_size is %u: this library knows %zu", counters->struct_size,
                sizeof(pyc_counters));
  }
  *counters = context->counters().totals();
  return PYC_STATUS_SUCCESS;
}

const char *pyc_status_string(int32_t status) { return status_string(status); }
const char *pyc_reason_string(int32_t reason) { return reason_string(reason); }
const char *pyc_rung_name(int32_t rung) { return rung_name(rung); }
const char *pyc_last_error_detail(void) { return last_error_detail(); }
const char *pyc_version(void) { return PYC_VERSION_STRING; }
