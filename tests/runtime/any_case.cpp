#include "any_case.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/runtime/spans.h"

namespace {

using pyc::runtime::dtype_bytes;

// The rounding of one result to the dtype, relative to it, and the least that it can be.
struct Rounding {
  double relative, least;
};
Rounding rounding(int32_t dtype) {
  if (dtype == PYC_DTYPE_FP16) return {0x1p-11, 0x1p-25};
  if (dtype == PYC_DTYPE_BF16) return {0x1p-8, 0x1p-134};
  return {0x1p-24, 0x1p-150};
}

// Normal numbers of both signs between 2^-7 and 1, every mantissa alike.
uint32_t random_bits(int32_t dtype, uint32_t random) {
  const uint32_t sign = random >> 31, exponent_below_one = 1 + (random >> 28 & 7u) % 7;
  if (dtype == PYC_DTYPE_FP16) return sign << 15 | (15 - exponent_below_one) << 10 | (random & 0x3ffu);
  if (dtype == PYC_DTYPE_BF16) return sign << 15 | (127 - exponent_below_one) << 7 | (random & 0x7fu);
  return sign << 31 | (127 - exponent_below_one) << 23 | (random & 0x7fffffu);
}

}  // namespace

double fp16_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
  const double sign = bits >> 15 ? -1.0 : 1.0;
  if (exponent == 31) return mantissa ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  return exponent == 0 ? sign * std::ldexp(mantissa, -24) : sign * std::ldexp(1024 + mantissa, exponent - 25);
}

double element(const Bytes &memory, int32_t dtype, int64_t index) {
  if (dtype == PYC_DTYPE_FP32) {
    float value;
    std::memcpy(&value, memory.data() + index * 4, 4);
    return double(value);
  }
  uint16_t bits;
  std::memcpy(&bits, memory.data() + index * 2, 2);
  if (dtype == PYC_DTYPE_FP16) return fp16_value(bits);
  const uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return double(value);
}

AnyCase::AnyCase(const pyc_gemm_desc &d, uint32_t seed) : desc(d), random_(seed) {
  const pyc::runtime::Spans spans = pyc::runtime::spans_of(desc);
  const bool a_transposed = pyc::runtime::a_is_transposed(d.layout),
             b_transposed = pyc::runtime::b_is_transposed(d.layout);
  a.assign(spans.a_bytes, 0xff);
  b.assign(spans.b_bytes, 0xff);
  c.assign(spans.c_bytes, 0xff);
  fill(&a, a_transposed ? d.k : d.m, a_transposed ? d.m : d.k, d.lda, d.stride_a);
  fill(&b, b_transposed ? d.n : d.k, b_transposed ? d.k : d.n, d.ldb, d.stride_b);
}

void AnyCase::fill_c() { fill(&c, desc.m, desc.n, desc.ldc, desc.stride_c); }

void AnyCase::fill(Bytes *matrix, int64_t rows, int64_t columns, int64_t ld, int64_t stride) {
  const int64_t bytes = dtype_bytes(desc.dtype);
  for (int64_t batch = 0; batch < desc.batch_count; ++batch) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        const uint32_t bits = random_bits(desc.dtype, uint32_t(random_()));
        std::memcpy(matrix->data() + (batch * stride + i * ld + j) * bytes, &bits, size_t(bytes));
      }
    }
  }
}

int64_t AnyCase::count_wrong(const Bytes &before, const Bytes &got) const {
  const int64_t bytes = dtype_bytes(desc.dtype);
  Bytes expected = before;  // with what the product wrote, once that is found right
  int64_t wrong = 0;
  for (int64_t batch = 0; batch < desc.batch_count; ++batch) {
    for (int64_t i = 0; i < desc.m; ++i) {
      for (int64_t j = 0; j < desc.n; ++j) {
        if (!is_right(batch, i, j, before, got)) ++wrong;
        const int64_t at = (batch * desc.stride_c + i * desc.ldc + j) * bytes;
        std::memcpy(expected.data() + at, got.data() + at, size_t(bytes));
      }
    }
  }
  for (size_t i = 0; i < got.size(); ++i) wrong += expected[i] != got[i];
  return wrong;
}

bool AnyCase::is_right(int64_t batch, int64_t i, int64_t j, const Bytes &before, const Bytes &got) const {
  const pyc_gemm_desc &d = desc;
  double sum = 0.0, magnitude = 0.0;
  for (int64_t p = 0; p < d.k && alpha != 0.0f; ++p) {
    const bool a_transposed = pyc::runtime::a_is_transposed(d.layout);
    const bool b_transposed = pyc::runtime::b_is_transposed(d.layout);
    const double x = element(a, d.dtype, batch * d.stride_a + (a_transposed ? p * d.lda + i : i * d.lda + p));
    const double y = element(b, d.dtype, batch * d.stride_b + (b_transposed ? j * d.ldb + p : p * d.ldb + j));
    sum += x * y;
    magnitude += std::fabs(x * y);
  }
  const int64_t at = batch * d.stride_c + i * d.ldc + j;
  const double old = beta == 0.0f ? 0.0 : double(beta) * element(before, d.dtype, at);
  const double expected = double(alpha) * sum + old, scale = std::fabs(double(alpha)) * magnitude + std::fabs(old);
  const double in_fp32 = (std::sqrt(double(d.k)) + 8.0) * double(std::numeric_limits<float>::epsilon()) * scale;
  const Rounding to_dtype = rounding(d.dtype);
  const double bound = in_fp32 + to_dtype.relative * (std::fabs(expected) + in_fp32) + to_dtype.least;
  return std::fabs(element(got, d.dtype, at) - expected) <= bound;  // false for NaN
}
