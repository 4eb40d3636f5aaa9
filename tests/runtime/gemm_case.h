// A random fp32 problem in host memory and its answer in double precision, for the tests of the runtime.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "pyc/gemm.h"

// Matrices with random values; C and the padding between rows hold NaN unless a test fills them.
struct GemmCase {
  pyc_gemm_desc desc;
  float alpha = 1.0f, beta = 0.0f;
  std::vector<float> a, b, c;

  // `pad` elements are added to every leading dimension.
  GemmCase(pyc_layout layout, int64_t m, int64_t n, int64_t k, int64_t pad = 0)
      : desc(pyc_gemm_desc_packed(PYC_DTYPE_FP32, layout, m, n, k)) {
    desc.lda += pad;
    desc.ldb += pad;
    desc.ldc += pad;
    fill(&a, a_transposed() ? k : m, a_transposed() ? m : k, desc.lda);
    fill(&b, b_transposed() ? n : k, b_transposed() ? k : n, desc.ldb);
    c.assign(size_t(m * desc.ldc), std::numeric_limits<float>::quiet_NaN());
  }

  bool a_transposed() const { return desc.layout == PYC_LAYOUT_TN || desc.layout == PYC_LAYOUT_TT; }
  bool b_transposed() const { return desc.layout == PYC_LAYOUT_NT || desc.layout == PYC_LAYOUT_TT; }

  // Random values in C too, padding excepted.
  void fill_c() { fill(&c, desc.m, desc.n, desc.ldc); }

  pyc_status run(pyc_context *context) {
    return pyc_gemm(context, &desc, alpha, a.data(), b.data(), beta, c.data(), nullptr);
  }

  // How many elements of `got` are further from alpha * op(A) * op(B) + beta * before than rounding explains, plus the
  // elements of padding that differ from `before`.
  int64_t count_wrong(const std::vector<float> &before, const std::vector<float> &got) const {
    int64_t wrong = 0;
    for (int64_t i = 0; i < desc.m; ++i) {
      for (int64_t j = 0; j < desc.ldc; ++j) {
        const size_t at = size_t(i * desc.ldc + j);
        if (j < desc.n ? !is_right(i, j, before[at], got[at]) : !same(before[at], got[at])) ++wrong;
      }
    }
    return wrong;
  }

 private:
  static bool same(float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); }

  bool is_right(int64_t i, int64_t j, float before, float got) const {
    double sum = 0.0, magnitude = 0.0;
    for (int64_t p = 0; p < desc.k; ++p) {
      const double x = a[size_t(a_transposed() ? p * desc.lda + i : i * desc.lda + p)];
      const double y = b[size_t(b_transposed() ? j * desc.ldb + p : p * desc.ldb + j)];
      sum += x * y;
      magnitude += std::fabs(x * y);
    }
    const double expected = alpha * sum + (beta == 0.0f ? 0.0 : double(beta) * before);
    const double scale = std::fabs(alpha) * magnitude + (beta == 0.0f ? 0.0 : std::fabs(double(beta) * before));
    const double roundings = std::sqrt(double(desc.k)) + 8.0;
    return std::fabs(got - expected) <= roundings * std::numeric_limits<float>::epsilon() * scale;
  }

  void fill(std::vector<float> *values, int64_t rows, int64_t columns, int64_t ld) {
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    values->assign(size_t(rows * ld), std::numeric_limits<float>::quiet_NaN());
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) (*values)[size_t(i * ld + j)] = uniform(random_);
    }
  }

  std::mt19937 random_{1};
};
