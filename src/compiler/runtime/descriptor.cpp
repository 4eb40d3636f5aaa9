#include "compiler/runtime/descriptor.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdint>
#include <cstring>
#include <limits>

#include "compiler/runtime/names.h"
#include "compiler/runtime/problem.h"
#include "compiler/runtime/spans.h"
#include "compiler/runtime/struct_size.h"

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
  const int64_t every_bit = desc.m | desc.n | desc.k | desc.batch_count | desc.stride_a | desc.stride_b | desc.stride_c;
  if (every_bit >= 0) return PYC_STATUS_SUCCESS;  // no sign bit among them
  const struct {
    const char *name, *what;
    int64_t value;
  } fields[] = {{"m", "size", desc.m},
                {"n", "size", desc.n},
                {"k", "size", desc.k},
                {"batch_count", "count", desc.batch_count},
                {"stride_a", "stride", desc.stride_a},
                {"stride_b", "stride", desc.stride_b},
                {"stride_c", "stride", desc.stride_c}};
  for (const auto &field : fields) {
    if (field.value >= 0) continue;
    return fail(PYC_STATUS_INVALID_VALUE, "%s is %" PRId64 ": a %s cannot be negative", field.name, field.value,
                field.what);
  }
  return PYC_STATUS_SUCCESS;
}

// One stored matrix of rows x columns elements, and those of the batch that follow it.
struct Operand {
  const char *name, *ld_name, *columns_name, *stride_name;
  int64_t rows, columns, ld, stride;
};

// What the batch adds to the first matrix must leave room for that matrix in `max_elements`.
bool batch_fits(const Operand &operand, int64_t batch_count, int64_t max_elements) {
  if (batch_count <= 1) return true;
  int64_t offset = 0;
  return !__builtin_mul_overflow(batch_count - 1, operand.stride, &offset) &&
         offset <= max_elements - operand.rows * operand.ld;
}

pyc_status check_operand(const Operand &operand, int64_t batch_count, int64_t element_bytes) {
  const int64_t least = std::max<int64_t>(operand.columns, 1);
  if (operand.ld < least) {
    return fail(PYC_STATUS_INVALID_VALUE, "%s is %" PRId64 ": expected at least %" PRId64 ", a stored row of %s (%s)",
                operand.ld_name, operand.ld, least, operand.name, operand.columns_name);
  }
  const int64_t max_elements = std::numeric_limits<int64_t>::max() >> std::countr_zero(uint64_t(element_bytes));
  int64_t elements = 0;
  if (__builtin_mul_overflow(operand.rows, operand.ld, &elements) || elements > max_elements) {
    return fail(PYC_STATUS_INVALID_VALUE,
                "%s is %" PRId64 ": %" PRId64 " rows of it make %s larger than a 64-bit address space", operand.ld_name,
                operand.ld, operand.rows, operand.name);
  }
  if (batch_fits(operand, batch_count, max_elements)) return PYC_STATUS_SUCCESS;
  return fail(PYC_STATUS_INVALID_VALUE,
              "%s is %" PRId64 ": %" PRId64 " matrices of it make %s larger than a 64-bit address space",
              operand.stride_name, operand.stride, batch_count, operand.name);
}

// Matrices of C that share elements would be written by several products at once.
pyc_status check_overlap(const pyc_gemm_desc &d) {
  if (d.batch_count <= 1 || d.m == 0 || d.n == 0) return PYC_STATUS_SUCCESS;
  const int64_t matrix = span_elements(d.m, d.n, d.ldc, 1, 0);
  if (d.stride_c >= matrix) return PYC_STATUS_SUCCESS;
  if (d.stride_c >= d.n && (d.batch_count - 1) * d.stride_c <= d.ldc - d.n) return PYC_STATUS_SUCCESS;
  return fail(PYC_STATUS_INVALID_VALUE,
              "stride_c is %" PRId64 ": the matrices of C overlap; expected at least %" PRId64
              ", or at least n with the whole batch inside one row of ldc",
              d.stride_c, matrix);
}

struct Matrix {
  const char *name;
  const void *pointer;
  bool touched;
};

pyc_status check_matrix(const Matrix &matrix, int64_t element_bytes) {
  if (matrix.touched && matrix.pointer == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "%s is NULL", matrix.name);
  if (is_multiple(matrix.pointer, uint32_t(element_bytes))) return PYC_STATUS_SUCCESS;
  return fail(PYC_STATUS_MISALIGNED, "%s is %p: expected a multiple of its element's %" PRId64 " bytes", matrix.name,
              matrix.pointer, element_bytes);
}

void copy_to_newest_version(const pyc_gemm_desc &given, pyc_gemm_desc *desc) {
  if (given.struct_size == sizeof given) {
    *desc = given;  // a copy of known size costs a warm call less
  } else {
    *desc = {};
    desc->batch_count = 1;
    std::memcpy(desc, &given, given.struct_size);
    desc->struct_size = sizeof *desc;
  }
  if (desc->batch_count == 0 || desc->batch_count == 1) desc->stride_a = desc->stride_b = desc->stride_c = 0;
}

}  // namespace

pyc_status check_descriptor(const pyc_gemm_desc *given, pyc_gemm_desc *desc) {
  if (given == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "desc is NULL");
  if (pyc_status status = check_struct_size("desc", given->struct_size, {PYC_GEMM_DESC_SIZE_V1, sizeof *given})) {
    return status;
  }
  copy_to_newest_version(*given, desc);
  const pyc_gemm_desc &d = *desc;
  if (pyc_status status = check_enumerations(d)) return status;
  if (pyc_status status = check_sizes(d)) return status;

  const bool a_transposed = a_is_transposed(d.layout), b_transposed = b_is_transposed(d.layout);
  const Operand operands[] = {{"a", "lda", a_transposed ? "m" : "k", "stride_a", a_transposed ? d.k : d.m,
                               a_transposed ? d.m : d.k, d.lda, d.stride_a},
                              {"b", "ldb", b_transposed ? "k" : "n", "stride_b", b_transposed ? d.n : d.k,
                               b_transposed ? d.k : d.n, d.ldb, d.stride_b},
                              {"c", "ldc", "n", "stride_c", d.m, d.n, d.ldc, d.stride_c}};
  for (const Operand &operand : operands) {
    if (pyc_status status = check_operand(operand, d.batch_count, dtype_bytes(d.dtype))) return status;
  }
  return check_overlap(d);
}

pyc_status check_matrices(const pyc_gemm_desc &d, float alpha, const void *a, const void *b, const void *c) {
  const bool writes = d.m > 0 && d.n > 0 && d.batch_count > 0;
  const bool reads = writes && d.k > 0 && alpha != 0.0f;
  for (const Matrix &matrix : {Matrix{"a", a, reads}, Matrix{"b", b, reads}, Matrix{"c", c, writes}}) {
    if (pyc_status status = check_matrix(matrix, dtype_bytes(d.dtype))) return status;
  }
  return PYC_STATUS_SUCCESS;
}

pyc_status check_plan_options(const pyc_gemm_plan_options *given, const pyc_gemm_desc &desc,
                              pyc_gemm_plan_options *options) {
  *options = pyc_gemm_plan_options_default();
  if (given == nullptr) return PYC_STATUS_SUCCESS;
  if (pyc_status status = check_struct_size("options", given->struct_size, {sizeof *given})) return status;
  *options = *given;
  const struct {
    const char *name;
    uint32_t value;
  } fields[] = {{"align_a", given->align_a}, {"align_b", given->align_b}, {"align_c", given->align_c}};
  for (const auto &field : fields) {
    if (std::has_single_bit(field.value) && field.value >= uint32_t(dtype_bytes(desc.dtype)) && field.value <= 256) {
      continue;
    }
    return fail(PYC_STATUS_INVALID_VALUE, "options.%s is %u: expected a power of two, %d to 256", field.name,
                field.value, int(dtype_bytes(desc.dtype)));
  }
  return PYC_STATUS_SUCCESS;
}

}  // namespace pyc::runtime
