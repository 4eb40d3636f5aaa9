// A random problem of any dtype, layout and batch in host memory, and its answer in double precision.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "pyc/gemm.h"

using Bytes = std::vector<unsigned char>;

// Every matrix spans exactly the memory that the descriptor says, so that a tool sees each element too far. A and B
// hold random values of about 1, and NaN between their rows; C holds NaN until fill_c().
struct AnyCase {
  pyc_gemm_desc desc;  // valid
  float alpha = 1.0f, beta = 0.0f;
  Bytes a, b, c;

  AnyCase(const pyc_gemm_desc &desc, uint32_t seed);

  // Random values in C too, between its rows excepted.
  void fill_c();

  pyc_status run(pyc_context *context) {
    return pyc_gemm(context, &desc, alpha, a.data(), b.data(), beta, c.data(), nullptr);
  }

  // How many elements of `got` are further from alpha * op(A) * op(B) + beta * before than rounding explains, plus the
  // elements of `got` that belong to no matrix and differ from `before`.
  int64_t count_wrong(const Bytes &before, const Bytes &got) const;

 private:
  bool is_right(int64_t batch, int64_t i, int64_t j, const Bytes &before, const Bytes &got) const;
  void fill(Bytes *matrix, int64_t rows, int64_t columns, int64_t ld, int64_t stride);

  std::mt19937 random_;
};

// Element `index` of memory that holds values of a pyc_dtype.
double element(const Bytes &memory, int32_t dtype, int64_t index);

// The value of fp16 bits by the definition of the format.
double fp16_value(uint16_t bits);
