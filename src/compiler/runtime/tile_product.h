// The inner product of the library's own CPU loops.
#pragma once

#include <cstdint>

namespace pyc::runtime {

// Rows of fp32, `ld` elements apart.
template <typename T>
struct TileView {
  T *data;
  int64_t ld;
};

// sum += a * b, for a of rows x depth and b of depth x columns. Every sum adds its products in the order of the depth.
// Uses AVX2 and FMA where the processor has them.
void add_tile_product(TileView<const float> a, TileView<const float> b, TileView<float> sum, int64_t rows,
                      int64_t columns, int64_t depth);

}  // namespace pyc::runtime
