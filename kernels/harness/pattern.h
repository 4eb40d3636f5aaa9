// What an allocation holds: a matrix, placed with an offset and a leading dimension, in surroundings of one word. Every
// element is a pure function of (seed, logical row, logical column), so nothing need be copied to know later what an
// input was, and the reference never reads memory that a candidate can reach.
#ifndef PYC_HARNESS_PATTERN_H
#define PYC_HARNESS_PATTERN_H

#include "element.h"
#include "whole_numbers.h"

namespace pyc::harness {

// A NaN as fp32, and in each half as fp16 and bf16, that no arithmetic of the device produces.
constexpr uint32_t kPoison = 0x7feb7febu;

// What lies around a matrix while nothing is to be provoked: zeros.
constexpr uint32_t kCalm = 0;

enum class Values : int32_t { random, whole_a, whole_b, whole_c };

// Lines of a matrix with values that are no ordinary numbers: rows of A, columns of B. -1: none. `nan` and `infinity`
// have one such element, at the place along k below; `zero` consists of -0; `subnormal` of numbers below the least
// normal one. In C only the first element of the row has the value.
struct Specials {
  int64_t nan = -1, infinity = -1, zero = -1, subnormal = -1;
  int64_t nan_at = 0, infinity_at = 0;
};

struct Pattern {
  uint64_t seed;
  float amplitude;  // random elements are uniform in [-amplitude, amplitude]
  DType dtype;      // elements are rounded to this type
  Values values = Values::random;
  WholeNumbers whole{};
  Specials specials{};
};

// Where a matrix lies in its allocation. All in elements; rows and columns as stored.
struct Placement {
  int64_t capacity;  // of the whole allocation
  int64_t offset;    // of the first element
  int64_t rows, columns, ld;
  bool transposed;  // the stored row is the logical column
};

// A seed of its own for each use of one seed.
PYC_HD uint64_t derive_seed(uint64_t seed, uint64_t use) {
  return mix64(mix64(seed) + 0x9e3779b97f4a7c15ull * (use + 1));
}

// Random in every bit of the mantissa.
PYC_HD float random_value(const Pattern &pattern, int64_t row, int64_t column) {
  const uint64_t index = (static_cast<uint64_t>(row) << 32) ^ static_cast<uint64_t>(column);
  const uint64_t word = mix64(pattern.seed + 0x9e3779b97f4a7c15ull * index);
  const float unit = static_cast<float>(static_cast<int32_t>(word >> 32)) * 0x1p-31f;
  return round_to(pattern.dtype, unit * pattern.amplitude);
}

PYC_HD int32_t whole_value(const Pattern &pattern, int64_t row, int64_t column) {
  if (pattern.values == Values::whole_a) return whole_a(pattern.whole, pattern.seed, row, column);
  if (pattern.values == Values::whole_b) return whole_b(pattern.whole, pattern.seed, row, column);
  return whole_c(pattern.seed, row, column);
}

// The least positive number of a type: whole numbers times this are its subnormal numbers.
PYC_HD float least_subnormal(DType dtype) {
  return dtype == DType::fp32 ? 0x1p-149f : dtype == DType::fp16 ? 0x1p-24f : 0x1p-133f;
}

// What flushing every subnormal number to zero may change: a sum of products of whole numbers, times the least of them,
// is under 2^24 of it. fp16 has too few exponents to give them up.
PYC_HD double flush_slack(DType dtype) {
  return dtype == DType::fp16 ? 0.0 : 0x1p24 * static_cast<double>(least_subnormal(dtype));
}

// `line` and `at`: row and place along k in A, column and place along k in B, row and column in C.
PYC_HD float special_value(const Pattern &pattern, int64_t line, int64_t at, float ordinary) {
  const Specials &special = pattern.specials;
  if (line == special.nan && at == special.nan_at) return bits_float(0x7fc00000u);
  if (line == special.infinity && at == special.infinity_at) return bits_float(0x7f800000u);
  if (pattern.values == Values::whole_c) return ordinary;
  if (line == special.zero) return -0.0f;
  if (line == special.subnormal) return ordinary * least_subnormal(pattern.dtype);
  return ordinary;
}

// The element at a logical position.
PYC_HD float pattern_value(const Pattern &pattern, int64_t row, int64_t column) {
  if (pattern.values == Values::random) return random_value(pattern, row, column);
  const float value = static_cast<float>(whole_value(pattern, row, column));
  const bool by_column = pattern.values == Values::whole_b;
  return special_value(pattern, by_column ? column : row, by_column ? row : column, value);
}

// Whether the element at `index` of the allocation belongs to the matrix, and its logical position if so.
PYC_HD bool locate(const Placement &place, int64_t index, int64_t *row, int64_t *column) {
  const int64_t relative = index - place.offset;
  if (relative < 0) return false;
  const int64_t stored_row = relative / place.ld, stored_column = relative - stored_row * place.ld;
  if (stored_row >= place.rows || stored_column >= place.columns) return false;
  *row = place.transposed ? stored_column : stored_row;
  *column = place.transposed ? stored_row : stored_column;
  return true;
}

}  // namespace pyc::harness

#endif
