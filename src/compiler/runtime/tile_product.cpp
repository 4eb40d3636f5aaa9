// Blocks of 4 x 16 sums stay in registers while the depth runs; what is left at the edges is added one by one.
#include "compiler/runtime/tile_product.h"

#include <cstring>

namespace pyc::runtime {
namespace {

// Eight floats in one register of AVX2, or in several smaller ones: spelt out, because compilers that vectorise the
// loops by themselves spill the sums.
using Lanes [[gnu::vector_size(32)]] = float;
constexpr int64_t kLanes = 8, kRows = 4, kVectors = 2, kColumns = kVectors * kLanes;

using A = TileView<const float>;
using B = TileView<const float>;
using Sum = TileView<float>;

[[gnu::always_inline]] inline void load(const float *from, Lanes *to) { std::memcpy(to, from, sizeof *to); }
[[gnu::always_inline]] inline void store(const Lanes &from, float *to) { std::memcpy(to, &from, sizeof from); }

[[gnu::always_inline]] inline void add_block(A a, B b, Sum sum, int64_t depth) {
  Lanes block[kRows][kVectors];
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t v = 0; v < kVectors; ++v) load(sum.data + r * sum.ld + v * kLanes, &block[r][v]);
  }
  for (int64_t p = 0; p < depth; ++p) {
    Lanes row[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) load(b.data + p * b.ld + v * kLanes, &row[v]);
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t v = 0; v < kVectors; ++v) block[r][v] += a.data[r * a.ld + p] * row[v];
    }
  }
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t v = 0; v < kVectors; ++v) store(block[r][v], sum.data + r * sum.ld + v * kLanes);
  }
}

[[gnu::always_inline]] inline void add_edge(A a, B b, Sum sum, int64_t rows, int64_t columns, int64_t depth) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t p = 0; p < depth; ++p) {
      const float value = a.data[r * a.ld + p];
      for (int64_t c = 0; c < columns; ++c) sum.data[r * sum.ld + c] += value * b.data[p * b.ld + c];
    }
  }
}

[[gnu::always_inline]] inline void add_all(A a, B b, Sum sum, int64_t rows, int64_t columns, int64_t depth) {
  const int64_t whole_rows = rows - rows % kRows, whole_columns = columns - columns % kColumns;
  for (int64_t r = 0; r < whole_rows; r += kRows) {
    for (int64_t c = 0; c < whole_columns; c += kColumns) {
      add_block({a.data + r * a.ld, a.ld}, {b.data + c, b.ld}, {sum.data + r * sum.ld + c, sum.ld}, depth);
    }
  }
  const B right_b{b.data + whole_columns, b.ld};
  add_edge(a, right_b, {sum.data + whole_columns, sum.ld}, whole_rows, columns - whole_columns, depth);
  add_edge({a.data + whole_rows * a.ld, a.ld}, b, {sum.data + whole_rows * sum.ld, sum.ld}, rows - whole_rows, columns,
           depth);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void add_all_avx2(A a, B b, Sum sum, int64_t rows, int64_t columns, int64_t depth) {
  add_all(a, b, sum, rows, columns, depth);
}

bool has_avx2() {
  static const bool found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return found;
}
#endif

}  // namespace

void add_tile_product(A a, B b, Sum sum, int64_t rows, int64_t columns, int64_t depth) {
#if defined(__x86_64__)
  if (has_avx2()) return add_all_avx2(a, b, sum, rows, columns, depth);
#endif
  add_all(a, b, sum, rows, columns, depth);
}

}  // namespace pyc::runtime
