// Blocks of op(A) and op(B) are copied, and converted, into contiguous fp32 tiles of (rows x depth) and (depth x
// columns), so that all dtypes and layouts share one product of tiles.
#include "compiler/runtime/cpu_gemm.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>

#include "compiler/runtime/half.h"
#include "compiler/runtime/tile_product.h"

namespace pyc::runtime {
namespace {

constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112;

// A stored matrix read as op(X): element (i, j) is at i * row + j * column.
template <typename T>
struct View {
  const T *data;
  int64_t row, column;
};

template <typename T>
View<T> view(const void *data, int64_t ld, bool transposed) {
  return transposed ? View<T>{static_cast<const T *>(data), 1, ld} : View<T>{static_cast<const T *>(data), ld, 1};
}

// The block of `rows` x `columns` at (i, j), row after row `to_ld` apart. Read in the order of memory.
template <typename T>
void pack(const View<T> &from, int64_t i, int64_t j, int64_t rows, int64_t columns, float *to, int64_t to_ld) {
  const T *const block = from.data + i * from.row + j * from.column;
  if (from.column == 1) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) to[r * to_ld + c] = to_float(block[r * from.row + c]);
    }
  } else {
    for (int64_t c = 0; c < columns; ++c) {
      for (int64_t r = 0; r < rows; ++r) to[r * to_ld + c] = to_float(block[c * from.column + r]);
    }
  }
}

template <typename T>
void write_back(const pyc_gemm_args &args, int64_t i, int64_t j, int64_t rows, int64_t columns, const float *sum,
                int64_t sum_ld) {
  for (int64_t r = 0; r < rows; ++r) {
    T *const out = static_cast<T *>(args.c) + (i + r) * args.ldc + j;
    for (int64_t c = 0; c < columns; ++c) {
      const float product = args.alpha * sum[r * sum_ld + c];
      out[c] = from_float<T>(args.beta == 0.0f ? product : product + args.beta * to_float(out[c]));
    }
  }
}

template <int64_t m, int64_t n, int64_t k>
struct Tiles {
  static constexpr int64_t kM = m, kN = n, kK = k;
  alignas(64) float a[m * k];
  alignas(64) float b[k * n];
  alignas(64) float sum[m * n];
};
using OwnTiles = Tiles<64, 64, 128>;      // 80 KiB, on the stack
using CblasTiles = Tiles<512, 512, 512>;  // large enough that a library's threads pay

// `product(rows, columns, depth, first, tiles)` sets sum to the product of the two tiles, or adds to it unless `first`.
template <typename T, typename TilesType, typename Product>
void gemm_by_tiles(const pyc_gemm_desc &desc, const pyc_gemm_args &args, TilesType *tiles, Product product) {
  const View<T> a = view<T>(args.a, args.lda, a_is_transposed(desc.layout));
  const View<T> b = view<T>(args.b, args.ldb, b_is_transposed(desc.layout));
  for (int64_t i = 0; i < args.m; i += TilesType::kM) {
    for (int64_t j = 0; j < args.n; j += TilesType::kN) {
      const int64_t rows = std::min(TilesType::kM, args.m - i), columns = std::min(TilesType::kN, args.n - j);
      for (int64_t p = 0; p < args.k; p += TilesType::kK) {
        const int64_t depth = std::min(TilesType::kK, args.k - p);
        pack(a, i, p, rows, depth, tiles->a, TilesType::kK);
        pack(b, p, j, depth, columns, tiles->b, TilesType::kN);
        product(rows, columns, depth, p == 0, tiles);
      }
      write_back<T>(args, i, j, rows, columns, tiles->sum, TilesType::kN);
    }
  }
}

// Sizes of a CBLAS are int, and OpenBLAS 0.3.21 has kernels for AVX-512 that count several rows of C in an int too.
bool fits_one_call(const pyc_gemm_desc &d) {
  constexpr int64_t kMaxSize = std::numeric_limits<int>::max(), kMaxLd = kMaxSize / 64;
  return d.dtype == PYC_DTYPE_FP32 && std::max({d.m, d.n, d.k}) <= kMaxSize &&
         std::max({d.lda, d.ldb, d.ldc}) <= kMaxLd;
}

void sgemm_whole(CblasSgemm sgemm, const pyc_gemm_desc &desc, const pyc_gemm_args &x) {
  sgemm(kRowMajor, a_is_transposed(desc.layout) ? kTrans : kNoTrans, b_is_transposed(desc.layout) ? kTrans : kNoTrans,
        int(x.m), int(x.n), int(x.k), x.alpha, static_cast<const float *>(x.a), int(x.lda),
        static_cast<const float *>(x.b), int(x.ldb), x.beta, static_cast<float *>(x.c), int(x.ldc));
}

CblasTiles *tiles_of_this_thread() {
  thread_local const auto tiles = std::make_unique_for_overwrite<CblasTiles>();
  return tiles.get();
}

}  // namespace

void cpu_gemm(const pyc_gemm_desc &desc, const pyc_gemm_args &args) {
  OwnTiles tiles;
  const auto product = [](int64_t rows, int64_t columns, int64_t depth, bool first, OwnTiles *t) {
    if (first) std::fill_n(t->sum, rows * OwnTiles::kN, 0.0f);
    add_tile_product({t->a, OwnTiles::kK}, {t->b, OwnTiles::kN}, {t->sum, OwnTiles::kN}, rows, columns, depth);
  };
  with_element_type(desc.dtype, [&](auto element) { gemm_by_tiles<decltype(element)>(desc, args, &tiles, product); });
}

void cpu_gemm_by_cblas(CblasSgemm sgemm, const pyc_gemm_desc &desc, const pyc_gemm_args &args) {
  if (fits_one_call(desc)) return sgemm_whole(sgemm, desc, args);
  const auto product = [sgemm](int64_t rows, int64_t columns, int64_t depth, bool first, CblasTiles *t) {
    sgemm(kRowMajor, kNoTrans, kNoTrans, int(rows), int(columns), int(depth), 1.0f, t->a, int(CblasTiles::kK), t->b,
          int(CblasTiles::kN), first ? 0.0f : 1.0f, t->sum, int(CblasTiles::kN));
  };
  CblasTiles *const tiles = tiles_of_this_thread();
  with_element_type(desc.dtype, [&](auto element) { gemm_by_tiles<decltype(element)>(desc, args, tiles, product); });
}

bool multiplies(CblasSgemm sgemm) {
  constexpr int kM = 3, kN = 5, kK = 7;
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_TN, kM, kN, kK);
  std::array<float, kM * kK> a;
  std::array<float, kK * kN> b;
  std::array<float, kM * kN> ours, theirs;
  std::iota(a.begin(), a.end(), 1.0f);
  std::iota(b.begin(), b.end(), 1.0f);
  std::iota(ours.begin(), ours.end(), 1.0f);
  theirs = ours;
  cpu_gemm(desc, make_call(desc, 2.0f, a.data(), b.data(), 3.0f, ours.data(), nullptr).args);
  cpu_gemm_by_cblas(sgemm, desc, make_call(desc, 2.0f, a.data(), b.data(), 3.0f, theirs.data(), nullptr).args);
  return ours == theirs;
}

}  // namespace pyc::runtime
