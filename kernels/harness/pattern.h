// What an allocation holds: a random matrix, placed with an offset and a leading dimension, in a sea of poison. Every
// element is a pure function of (seed, logical row, logical column), so nothing need be copied to know later what an
// input was, and the reference never reads memory that a candidate can reach.
#ifndef PYC_HARNESS_PATTERN_H
#define PYC_HARNESS_PATTERN_H

#include "element.h"

namespace pyc::harness {

// A NaN as fp32, and in each half as fp16 and bf16, that no arithmetic of the device produces.
constexpr uint32_t kPoison = 0x7feb7febu;

struct Pattern {
  uint64_t seed;
  float amplitude;  // elements are uniform in [-amplitude, amplitude]
  DType dtype;      // elements are rounded to this type
};

// Where a matrix lies in its allocation. All in elements; rows and columns as stored.
struct Placement {
  int64_t capacity;  // of the whole allocation
  int64_t offset;    // of the first element
  int64_t rows, columns, ld;
  bool transposed;  // the stored row is the logical column
};

// The finaliser of splitmix64 (Steele, Lea and Flood, 2014): a bijection of 64-bit words.
PYC_HD uint64_t mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// A seed of its own for each use of one seed.
PYC_HD uint64_t derive_seed(uint64_t seed, uint64_t use) {
  return mix64(mix64(seed) + 0x9e3779b97f4a7c15ull * (use + 1));
}

// The element at a logical position. Random in every bit of the mantissa.
PYC_HD float pattern_value(const Pattern &pattern, int64_t row, int64_t column) {
  const uint64_t index = (static_cast<uint64_t>(row) << 32) ^ static_cast<uint64_t>(column);
  const uint64_t word = mix64(pattern.seed + 0x9e3779b97f4a7c15ull * index);
  const float unit = static_cast<float>(static_cast<int32_t>(word >> 32)) * 0x1p-31f;
  return round_to(pattern.dtype, unit * pattern.amplitude);
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
