#include "compiler/runtime/descriptor.h"

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <limits>

#include "compiler/runtime/errors.h"
#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

pyc_status check_enumerations(const pyc_gemm_desc &desc) {
  const struct {
    const char *name;
    int32_t value, last;
  } fields[] = {{"dtype", desc.dtype, PYC_DTYPE_BF16},
                {"layout", desc.layout, PYC_LAYOUT_TT},
                {"precision", desc.precision, PYC_PRECISION_ALLOW_TF32},
                {"determinism", desc.determinism, PYC_DETERMINISM_REPEATABLE}};
  for (const auto &field : fields) {
    if (field.value >= 0 && field.value <= field.last) continue;
    return fail(PYC_STATUS_INVALID_VALUE, "%s is %d: expected a pyc_%s, 0 to %d", field.name, field.value, field.name,
                field.last);
  }
  return PYC_STATUS_SUCCESS;
}

pyc_status check_sizes(const pyc_gemm_desc &desc) {
  const struct {
    const char *name;
    int64_t value;
  } fields[] = {{"m", desc.m}, {"n", desc.n}, {"k", desc.k}};
  for (const auto &field : fields) {
    if (field.value >= 0) continue;
    return fail(PYC_STATUS_INVALID_VALUE, "%s is %" PRId64 ": a size cannot be negative", field.name, field.value);
  }
  return PYC_STATUS_SUCCESS;
}

// One stored matrix of rows x columns elements.
struct Operand {
  const char *name, *ld_name, *columns_name;
  int64_t rows, columns, ld;
  const void *pointer;
  bool touched;
};

pyc_status check_operand(const Operand &operand, int64_t element_bytes) {
  const int64_t least = std::max<int64_t>(1, operand.columns);
  if (operand.ld < least) {
    return fail(PYC_STATUS_INVALID_VALUE, "%s is %" PRId64 ": expected at least %" PRId64 ", a stored row of %s (%s)",
                operand.ld_name, operand.ld, least, operand.name, operand.columns_name);
  }
  const int64_t max_elements = std::numeric_limits<int64_t>::max() / element_bytes;
  if (operand.rows > 0 && operand.ld > max_elements / operand.rows) {
    return fail(PYC_STATUS_INVALID_VALUE,
                "%s is %" PRId64 ": %" PRId64 " rows of it make %s larger than a 64-bit address space", operand.ld_name,
                operand.ld, operand.rows, operand.name);
  }
  if (operand.touched && operand.pointer == nullptr) {
    return fail(PYC_STATUS_INVALID_VALUE, "%s is NULL", operand.name);
  }
  if (reinterpret_cast<uintptr_t>(operand.pointer) % uintptr_t(element_bytes) != 0) {
    return fail(PYC_STATUS_INVALID_VALUE, "%s is %p: expected a multiple of its element's %" PRId64 " bytes",
                operand.name, operand.pointer, element_bytes);
  }
  return PYC_STATUS_SUCCESS;
}

}  // namespace

pyc_status check_arguments(const pyc_gemm_desc *desc, float alpha, const void *a, const void *b, const void *c) {
  if (desc == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "desc is NULL");
  if (desc->struct_size != sizeof(pyc_gemm_desc)) {
    return fail(PYC_STATUS_INVALID_VALUE, "desc.struct_size is %u: this library knows %zu", desc->struct_size,
                sizeof(pyc_gemm_desc));
  }
  if (pyc_status status = check_enumerations(*desc)) return status;
  if (pyc_status status = check_sizes(*desc)) return status;

  const bool a_transposed = desc->layout == PYC_LAYOUT_TN || desc->layout == PYC_LAYOUT_TT;
  const bool b_transposed = desc->layout == PYC_LAYOUT_NT || desc->layout == PYC_LAYOUT_TT;
  const bool writes = desc->m > 0 && desc->n > 0;
  const bool reads = writes && desc->k > 0 && alpha != 0.0f;
  const Operand operands[] = {{"a", "lda", a_transposed ? "m" : "k", a_transposed ? desc->k : desc->m,
                               a_transposed ? desc->m : desc->k, desc->lda, a, reads},
                              {"b", "ldb", b_transposed ? "k" : "n", b_transposed ? desc->n : desc->k,
                               b_transposed ? desc->k : desc->n, desc->ldb, b, reads},
                              {"c", "ldc", "n", desc->m, desc->n, desc->ldc, c, writes}};
  for (const Operand &operand : operands) {
    if (pyc_status status = check_operand(operand, dtype_bytes(desc->dtype))) return status;
  }
  return PYC_STATUS_SUCCESS;
}

}  // namespace pyc::runtime
