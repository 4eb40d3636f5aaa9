#include "compiler/runtime/column_major.h"

#include <gtest/gtest.h>
#include <vector>

#include "gemm_case.h"

namespace {

using pyc::runtime::ColumnMajor;

// Element (i, j) of op(X), where X is stored column by column.
float element(const std::vector<float> &x, const ColumnMajor::Operand &operand, int64_t i, int64_t j) {
  const int64_t row = operand.transposed ? j : i, column = operand.transposed ? i : j;
  EXPECT_LT(row, operand.rows);
  EXPECT_LT(column, operand.columns);
  return x[size_t(column * operand.ld + row)];
}

TEST(ColumnMajor, TheSwappedProblemIsTheRowMajorProduct) {
  for (pyc_layout layout : {PYC_LAYOUT_NN, PYC_LAYOUT_NT, PYC_LAYOUT_TN, PYC_LAYOUT_TT}) {
    const GemmCase x(layout, 3, 5, 7, 2);
    const ColumnMajor cm = pyc::runtime::column_major(x.desc);
    std::vector<float> c = x.c;
    for (int64_t j = 0; j < cm.n; ++j) {
      for (int64_t i = 0; i < cm.m; ++i) {
        float sum = 0.0f;
        for (int64_t p = 0; p < cm.k; ++p) sum += element(x.b, cm.first, i, p) * element(x.a, cm.second, p, j);
        c[size_t(j * cm.ldc + i)] = sum;
      }
    }
    EXPECT_EQ(x.count_wrong(x.c, c), 0) << "layout " << layout;
  }
}

}  // namespace
