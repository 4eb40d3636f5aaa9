// How much memory the operands of a descriptor span, from the first element of the first matrix to the last of the
// last.
#pragma once

#include <algorithm>
#include <cstddef>

#include "compiler/runtime/names.h"
#include "compiler/runtime/problem.h"

namespace pyc::runtime {

struct Spans {
  size_t a_bytes, b_bytes, c_bytes;
};

// Of one operand of checked size, in elements; 0 if it has none.
constexpr int64_t span_elements(int64_t rows, int64_t columns, int64_t ld, int64_t batch_count, int64_t stride) {
  if (rows == 0 || columns == 0 || batch_count == 0) return 0;
  return (batch_count - 1) * stride + (rows - 1) * ld + columns;
}

inline Spans spans_of(const pyc_gemm_desc &d) {
  const bool a_transposed = a_is_transposed(d.layout), b_transposed = b_is_transposed(d.layout);
  const int64_t bytes = dtype_bytes(d.dtype);
  const int64_t a = span_elements(a_transposed ? d.k : d.m, a_transposed ? d.m : d.k, d.lda, d.batch_count, d.stride_a);
  const int64_t b = span_elements(b_transposed ? d.n : d.k, b_transposed ? d.k : d.n, d.ldb, d.batch_count, d.stride_b);
  const int64_t c = span_elements(d.m, d.n, d.ldc, d.batch_count, d.stride_c);
  return {size_t(a * bytes), size_t(b * bytes), size_t(c * bytes)};
}

}  // namespace pyc::runtime
