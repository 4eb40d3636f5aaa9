// The one place where a row-major problem becomes a column-major one, for cuBLAS and cuBLASLt.
#pragma once

#include <cstdint>

#include "compiler/runtime/problem.h"

namespace pyc::runtime {

// A row-major matrix read column by column is its transpose. So row-major C = op(A) op(B) is column-major
// C^T = op(B)^T op(A)^T: the operands swap places, m and n swap, and each operand keeps its own transpose letter.
struct ColumnMajor {
  int64_t m, n, k;  // of C^T, which is m x n
  struct Operand {
    bool transposed;
    int64_t rows, columns, ld;  // as stored, column by column
  } first, second;              // first is B, second is A
  int64_t ldc;
};

inline ColumnMajor column_major(const pyc_gemm_desc &d) {
  const bool a_transposed = a_is_transposed(d.layout), b_transposed = b_is_transposed(d.layout);
  return {d.n,
          d.m,
          d.k,
          {b_transposed, b_transposed ? d.k : d.n, b_transposed ? d.n : d.k, d.ldb},
          {a_transposed, a_transposed ? d.m : d.k, a_transposed ? d.k : d.m, d.lda},
          d.ldc};
}

}  // namespace pyc::runtime
