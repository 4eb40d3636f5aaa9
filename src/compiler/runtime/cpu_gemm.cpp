// Tiles of A and B are copied into contiguous blocks of (k x rows) and (k x columns), so that all layouts share one
// inner loop that the compiler vectorises over columns.
#include "compiler/runtime/cpu_gemm.h"

#include <algorithm>

namespace pyc::runtime {
namespace {

constexpr int64_t kTileM = 32, kTileN = 64, kTileK = 128;

// A stored matrix read as op(X): element (i, j) is at i * row + j * column.
struct View {
  const float *data;
  int64_t row, column;

  float at(int64_t i, int64_t j) const { return data[i * row + j * column]; }
};

View view(const void *data, int64_t ld, bool transposed) {
  return transposed ? View{static_cast<const float *>(data), 1, ld} : View{static_cast<const float *>(data), ld, 1};
}

struct Tile {
  float a[kTileK][kTileM], b[kTileK][kTileN], sum[kTileM][kTileN];
};

// sum += the product of rows i.. of A and columns j.. of B over k = p..p + depth.
void accumulate(const View &a, const View &b, int64_t i, int64_t j, int64_t p, int64_t rows, int64_t columns,
                int64_t depth, Tile *tile) {
  for (int64_t x = 0; x < depth; ++x) {
    for (int64_t r = 0; r < rows; ++r) tile->a[x][r] = a.at(i + r, p + x);
    for (int64_t c = 0; c < columns; ++c) tile->b[x][c] = b.at(p + x, j + c);
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t x = 0; x < depth; ++x) {
      const float value = tile->a[x][r];
      for (int64_t c = 0; c < columns; ++c) tile->sum[r][c] += value * tile->b[x][c];
    }
  }
}

void write_back(const pyc_gemm_args &args, int64_t i, int64_t j, int64_t rows, int64_t columns, const Tile &tile) {
  for (int64_t r = 0; r < rows; ++r) {
    float *const out = static_cast<float *>(args.c) + (i + r) * args.ldc + j;
    for (int64_t c = 0; c < columns; ++c) {
      const float product = args.alpha * tile.sum[r][c];
      out[c] = args.beta == 0.0f ? product : product + args.beta * out[c];
    }
  }
}

}  // namespace

void cpu_gemm_fp32(const Call &call) {
  const pyc_gemm_args &args = call.args;
  const int32_t layout = call.desc.layout;
  const View a = view(args.a, args.lda, layout == PYC_LAYOUT_TN || layout == PYC_LAYOUT_TT);
  const View b = view(args.b, args.ldb, layout == PYC_LAYOUT_NT || layout == PYC_LAYOUT_TT);
  Tile tile;
  for (int64_t i = 0; i < args.m; i += kTileM) {
    for (int64_t j = 0; j < args.n; j += kTileN) {
      const int64_t rows = std::min(kTileM, args.m - i), columns = std::min(kTileN, args.n - j);
      std::fill_n(&tile.sum[0][0], kTileM * kTileN, 0.0f);
      for (int64_t p = 0; p < args.k; p += kTileK) {
        accumulate(a, b, i, j, p, rows, columns, std::min(kTileK, args.k - p), &tile);
      }
      write_back(args, i, j, rows, columns, tile);
    }
  }
}

}  // namespace pyc::runtime
