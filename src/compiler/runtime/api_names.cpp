// What pyc/gemm.h tells about the library itself: names, sentences, versions.
#include "compiler/cutlass_kernels/promoted_kernel.h"
#include "compiler/runtime/build_info.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/explanation.h"
#include "compiler/runtime/guarded.h"
#include "compiler/runtime/names.h"
#include "compiler/runtime/struct_size.h"
#include "pyc/gemm.h"

using namespace pyc::runtime;

size_t pyc_explanation_text(const pyc_rung_report *reports, size_t count, char *text, size_t capacity) {
  size_t length = 0;
  if (reports == nullptr) count = 0;
  guarded([&] {
    const std::string all = explanation_text({reports, count});
    length = all.size();
    if (capacity > 0 && text != nullptr) text[all.copy(text, capacity - 1)] = '\0';
    return PYC_STATUS_SUCCESS;
  });
  return length;
}

pyc_status pyc_build_query(pyc_build *build) {
  if (build == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "build is NULL");
  if (pyc_status status = check_struct_size("build", build->struct_size, {sizeof *build})) return status;
  return guarded([&] {
    *build = build_info();
    return PYC_STATUS_SUCCESS;
  });
}

const char *pyc_status_string(int32_t status) { return status_string(status); }
const char *pyc_reason_string(int32_t reason) { return reason_string(reason); }
const char *pyc_rung_name(int32_t rung) { return rung_name(rung); }
const char *pyc_last_error_detail(void) { return last_error_detail(); }
const char *pyc_version(void) { return build_info().version; }
