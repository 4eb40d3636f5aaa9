// tf32x3_small_fp32: C[m,n] = alpha * op(A) * op(B) + beta * C in fp32 for small problems, multiplied by the tensor
// cores, all matrices row-major, any layout. The result has the accuracy of an fp32 kernel, which TF32 has not.
//
// Planes. An fp32 number x has 24 significant bits, a TF32 number 11, with the same range of exponents. So x = x0 + x1
// but for 2^-24 of it: x0 is x rounded to TF32, and x1 = x - x0, of which the hardware reads 11 bits. Three products,
//     x0*y0 + (x0*y1 + x1*y0),
// are the whole product but for terms of 2^-24 of it, as much as rounding it to fp32 loses.
//
// Sums. The tensor cores add in fp32 but cut the sum off instead of rounding it, and always downwards: every addition
// to a full sum costs a quarter of a unit roundoff of it in the mean, and those costs add up. So they only add up a
// tile of k, small products first, which cost nothing while the sum is small; the sums of tiles are added up in fp32
// arithmetic that rounds.
//
// Not a number. An infinity has no planes (infinity * 0 is NaN), and finite inputs never make an infinity unless
// the sum is out of range. So if a warp finds anything but finite numbers in its results, it throws them away and
// multiplies its part again on the CUDA cores.
//
// A block of an operand. A warp takes an operand in blocks of 32 rows of A (columns of B) by 16 k. Of a block lane 4g +
// t holds the rows 4g to 4g + 3 at k = 4t to 4t + 3: four 16-byte loads, whichever way the operand lies in memory. A
// block of A is two times two 16 x 8 operands of mma.m16n8k8, a block of B two times four 8 x 8 ones. Which rows,
// columns and k of the block they get is free as long as the accumulators know it, so each is what the lane has
// already: the lane ends with the rows 4g to 4g + 3 and the columns 8t to 8t + 7 of a 32 x 32 block of C.
//
// Stages. cp.async copies both operands as they lie, 16 bytes at a time (4 where pointers, leading dimensions or sizes
// do not allow it), into a ring of kStages stages, kStages - 1 ahead, zeros outside of the operands. Units of 16
// bytes change places within a row so that the loads above, and the copies, find all banks.
//
// Few tiles. k is split over groups of warps of a block (kSlices) and over the blocks of a thread block cluster
// (sm_90); their sums join in shared memory, in the order of k. A cost model (choose) takes tile and split from the
// shape, the alignment and the device alone, so that equal calls give equal bits.
#include <cmath>
#include <cstdint>
#include <cuda_runtime.h>

#include "pyc/kernel.h"

namespace {

// 1 if the operand is stored transposed: A as k x m, B as n x k.
constexpr int kTransposedA = 0;
constexpr int kTransposedB = 1;

constexpr int kGroupM = 8;    // rows of tiles that neighbouring blocks walk down before they move right, for L2
constexpr int kMaxSplit = 8;  // blocks of a cluster; 8 is the portable limit

// An operand lies along k if neighbours in its memory differ in k: A as m x k, B as n x k.
constexpr bool kAlongA = !kTransposedA, kAlongB = kTransposedB;

constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

template <int M, int N, int kRowsOfWarps, int kColumnsOfWarps, int kGroups, int kRing, int kBlocks>
struct Tile {
  static constexpr int kTileM = M, kTileN = N, kTileK = kGroups <= 2 ? 32 : 16 * kGroups;
  static constexpr int kSlices = kGroups, kBlocksPerSm = kBlocks, kStages = kRing, kLead = kStages - 1;
  static constexpr int kWarpsN = kColumnsOfWarps, kWarpM = M / kRowsOfWarps, kWarpN = N / kColumnsOfWarps;
  static constexpr int kSliceThreads = 32 * kRowsOfWarps * kColumnsOfWarps, kThreads = kSliceThreads * kSlices;
  static constexpr int kBlocksM = kWarpM / 32, kBlocksN = kWarpN / 32;  // of a warp
  static constexpr int kPanels = kTileK / 16;                           // a slice takes every kSlices-th
  static constexpr int kWords = 8 * kBlocksM * kBlocksN;                // a thread's part of C, in 4 floats

  // Shared memory, in floats. Behind the last tile the ring is used again for the sums of all slices.
  static constexpr int kFloatsA = M * kTileK, kFloatsPerStage = (M + N) * kTileK;
  static constexpr int kRingFloats = kStages * kFloatsPerStage, kSumFloats = kSlices * M * N;

  static_assert(kWarpM % 32 == 0 && kWarpN % 32 == 0 && kThreads <= 1024, "a warp takes blocks of 32 x 32");
  static_assert(kStages >= 2, "one tile is copied while another is multiplied");
  static_assert(kRingFloats <= 99 * 256 && kSumFloats <= 99 * 256, "sm_89 has 99 KB of shared memory for a block");
};

struct Operand {
  const float *data;
  int64_t ld, extent;  // extent: m of A, n of B
};

struct Problem {
  Operand a, b;
  float *c;
  int64_t m, n, k, ldc;
  float alpha, beta;
  uint32_t tiles_m, tiles_n, group_m, split;
  bool vector_c;  // rows of C may be read and written 16 bytes at a time
};

// ---- copies from global to shared memory ----------------------------------------------------------------------------

// Copies kWidth floats; zeros instead, without reading global memory, unless `inside`.
template <int kWidth>
__device__ void copy_async(float *shared, const float *global, bool inside) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  if constexpr (kWidth == 4) {
    asm volatile(
        "{ .reg .pred outside; setp.eq.u32 outside, %2, 0; cp.async.cg.shared.global.L2::128B [%0], [%1], 16, outside; "
        "}" ::"r"(address),
        "l"(global), "r"(uint32_t(inside))
        : "memory");
  } else {
    asm volatile(
        "{ .reg .pred outside; setp.eq.u32 outside, %2, 0; cp.async.ca.shared.global.L2::128B [%0], [%1], 4, outside; "
        "}" ::"r"(address),
        "l"(global), "r"(uint32_t(inside))
        : "memory");
  }
}

__device__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most kPending groups of this thread's copies are under way.
template <int kPending>
__device__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

// Where a unit of 4 floats lies in an operand's part of a stage, in floats. A row has kUnits of them. The lanes of one
// access to shared memory differ in bit 2 of the row and 4 neighbouring units (along k), or in bits 2 and 3 of the row
// and 2 neighbouring units: the row moves them to 8 different ones.
template <bool kAlongK, int kUnits>
__device__ int place_of_unit(int row, int unit) {
  const int moved = kAlongK ? unit ^ (row >> 2 & 1) << 2 : unit ^ (row >> 2 & 3) << 1;
  return (row * kUnits + moved) * 4;
}

// A thread's share of the copies of one operand. A stage has kRows rows of kColumns floats, as in memory: k runs along
// the columns or along the rows, the operand's extent along the other.
template <class T, bool kAlongK, int kExtent, int kWidth>
struct OperandCopy {
  static constexpr int kRows = kAlongK ? kExtent : T::kTileK, kColumns = kAlongK ? T::kTileK : kExtent;
  static constexpr int kLanes = kColumns / kWidth, kRowsPerPass = T::kThreads / kLanes;
  static constexpr int kPasses = ceil_div(kRows, kRowsPerPass);
  static_assert(T::kThreads % kLanes == 0, "the threads of a pass copy whole rows");

  const float *source;
  int64_t ld;
  int row, column, extent_left;

  __device__ OperandCopy(const Operand &from, int64_t first, int64_t first_k)
      : ld(from.ld), row(threadIdx.x / kLanes), column(threadIdx.x % kLanes * kWidth) {
    const int64_t left = from.extent - first;
    extent_left = static_cast<int>(left < kExtent ? left : kExtent);
    source = from.data + (kAlongK ? (first + row) * ld + first_k : (first_k + row) * ld + first) + column;
  }

  __device__ void issue(float *stage, int k_left) const {
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass) {
      const int to = row + pass * kRowsPerPass;
      if (kRows % kRowsPerPass != 0 && to >= kRows) break;
      const bool inside = kAlongK ? to < extent_left && column < k_left : to < k_left && column < extent_left;
      copy_async<kWidth>(stage + place_of_unit<kAlongK, kColumns / 4>(to, column / 4) + column % 4,
                         source + pass * kRowsPerPass * ld, inside);
    }
  }

  __device__ void advance() { source += kAlongK ? T::kTileK : T::kTileK * ld; }
};

template <class T, int kWidth>
struct TileCopies {
  OperandCopy<T, kAlongA, T::kTileM, kWidth> a;
  OperandCopy<T, kAlongB, T::kTileN, kWidth> b;
  int k_left;  // from the tile's first k on; not positive behind the last tile

  __device__ TileCopies(const Problem &p, int64_t first_row, int64_t first_column, int64_t first_k, int64_t k_count)
      : a(p.a, first_row, first_k), b(p.b, first_column, first_k), k_left(static_cast<int>(k_count)) {}

  // Issues the copies of a tile as one group, and turns to the next tile.
  __device__ void issue_tile(float *stage) {
    a.issue(stage, k_left);
    b.issue(stage + T::kFloatsA, k_left);
    commit_copies();
    a.advance();
    b.advance();
    k_left -= T::kTileK;
  }
};

// ---- the multiplication ---------------------------------------------------------------------------------------------

// This lane's part of a block of 32 rows (of A; columns of B) by 16 k, in planes.
struct Planes {
  float at[2][4][4];  // plane; row 4g + .; k = 4t + .
};

__device__ void split(Planes &to, int row, int k, float x) {
  const float rounded = __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
  to.at[0][row][k] = rounded;
  to.at[1][row][k] = x - rounded;
}

// Loads block `block` of an operand at the panel of 16 k, and splits it. kExtent: rows of the operand in a stage.
template <class T, bool kAlongK, int kExtent>
__device__ void load_planes(Planes &to, const float *stage, int block, int panel) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int at = kAlongK ? place_of_unit<true, T::kTileK / 4>(block * 32 + 4 * g + i, panel * 4 + t)
                           : place_of_unit<false, kExtent / 4>(panel * 16 + 4 * t + i, block * 8 + g);
    const float4 v = *reinterpret_cast<const float4 *>(stage + at);
    const float four[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) split(to, kAlongK ? i : j, kAlongK ? j : i, four[j]);
  }
}

// A 32 x 32 block of C: the half of the rows 4g + 2 * half + {0, 1}; the columns 8t + j and 8t + 4 + j. The last index
// counts (row, column) pairs as mma does: (0, j), (0, 4 + j), (1, j), (1, 4 + j).
struct BlockOfC {
  float at[2][4][4];
};

template <class T>
struct Accumulators {
  BlockOfC total[T::kBlocksM][T::kBlocksN], tile[T::kBlocksM][T::kBlocksN];
};

// sum = a * b, or sum += a * b unless kFirst, for 8 of the block's 16 k: of each 4 of a lane, 2 * step and the next.
template <bool kFirst>
__device__ void multiply_step(BlockOfC &sum, const Planes &a, int plane_a, const Planes &b, int plane_b, int step) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float *const low = a.at[plane_a][2 * half] + 2 * step, *const high = a.at[plane_a][2 * half + 1] + 2 * step;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      float(&c)[4] = sum.at[half][j];
      if (kFirst) c[0] = c[1] = c[2] = c[3] = 0.0f;
      asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(__float_as_uint(low[0])), "r"(__float_as_uint(high[0])), "r"(__float_as_uint(low[1])),
            "r"(__float_as_uint(high[1])), "r"(__float_as_uint(b.at[plane_b][j][2 * step])),
            "r"(__float_as_uint(b.at[plane_b][j][2 * step + 1])));
    }
  }
}

template <bool kFirst>
__device__ void multiply_add(BlockOfC &sum, const Planes &a, int plane_a, const Planes &b, int plane_b) {
  multiply_step<kFirst>(sum, a, plane_a, b, plane_b, 0);
  multiply_step<false>(sum, a, plane_a, b, plane_b, 1);
}

// Where the block's tile lies, and this thread's part of it.
struct Place {
  int64_t first_row, first_column;  // of the tile
  int row, column;                  // of the warp, from there
  int slice, thread;                // the thread's group of warps, and its number in there
};

template <class T>
__device__ Place place_of_thread(const Problem &p) {
  const uint32_t tile = blockIdx.x / p.split;
  const uint32_t per_group = p.group_m * p.tiles_n;  // at most the number of blocks
  const uint32_t group = tile / per_group, in_group = tile % per_group;
  const uint32_t rows = min(p.group_m, p.tiles_m - group * p.group_m);
  const int slice = threadIdx.x / T::kSliceThreads, thread = threadIdx.x % T::kSliceThreads, warp = thread / 32;
  return {static_cast<int64_t>(group * p.group_m + in_group % rows) * T::kTileM,
          static_cast<int64_t>(in_group / rows) * T::kTileN,
          warp / T::kWarpsN * T::kWarpM,
          warp % T::kWarpsN * T::kWarpN,
          slice,
          thread};
}

// Adds the panel to the tile's sums; kFirst: it is the tile's first.
template <bool kFirst, class T>
__device__ void multiply_panel(Accumulators<T> &sum, const float *stage, const Place &place, int panel) {
  Planes b[T::kBlocksN];
#pragma unroll
  for (int j = 0; j < T::kBlocksN; ++j) {
    load_planes<T, kAlongB, T::kTileN>(b[j], stage + T::kFloatsA, place.column / 32 + j, panel);
  }
#pragma unroll
  for (int i = 0; i < T::kBlocksM; ++i) {
    Planes a;
    load_planes<T, kAlongA, T::kTileM>(a, stage, place.row / 32 + i, panel);
#pragma unroll
    for (int j = 0; j < T::kBlocksN; ++j) {
      BlockOfC &tile = sum.tile[i][j];
      multiply_add<kFirst>(tile, a, 0, b[j], 1);
      multiply_add<false>(tile, a, 1, b[j], 0);
      multiply_add<false>(tile, a, 0, b[j], 0);
    }
  }
}

template <class T>
__device__ void add_tile(Accumulators<T> &sum) {
#pragma unroll
  for (int block = 0; block < T::kBlocksM * T::kBlocksN; ++block) {
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      (&sum.total[0][0])[block].at[i / 16][i / 4 % 4][i % 4] += (&sum.tile[0][0])[block].at[i / 16][i / 4 % 4][i % 4];
    }
  }
}

// Multiplies this slice of the block's range of k.
template <class T, int kWidth>
__device__ void multiply_tiles(Accumulators<T> &sum, TileCopies<T, kWidth> &copies, float *shared, const Place &place) {
  int read = 0, write = T::kLead * T::kFloatsPerStage;
#pragma unroll
  for (int stage = 0; stage < T::kLead; ++stage) copies.issue_tile(shared + stage * T::kFloatsPerStage);
  while (copies.k_left > -T::kLead * T::kTileK) {  // the copies run kLead tiles ahead of the multiplication
    wait_for_copies<T::kLead - 1>();
    __syncthreads();  // the tile to be read has arrived, and the one to be overwritten has been read
    copies.issue_tile(shared + write);
    multiply_panel<true>(sum, shared + read, place, place.slice);
#pragma unroll
    for (int panel = T::kSlices; panel < T::kPanels; panel += T::kSlices) {
      multiply_panel<false>(sum, shared + read, place, panel + place.slice);
    }
    add_tile(sum);
    write = read;
    read = read == T::kLead * T::kFloatsPerStage ? 0 : read + T::kFloatsPerStage;
  }
  wait_for_copies<0>();
}

// ---- the result -----------------------------------------------------------------------------------------------------

// A thread's part of C: word 8 * (block of the warp) + 2 * row + half holds 4 neighbouring columns.
template <class T>
using Words = float[T::kWords][4];

template <class T>
__device__ void take_words(Words<T> &words, const Accumulators<T> &sum) {
#pragma unroll
  for (int word = 0; word < T::kWords; ++word) {
    const int i = word / 8 / T::kBlocksN, j = word / 8 % T::kBlocksN, row = word / 2 % 4, half = word % 2;
    const BlockOfC &total = sum.total[i][j];
#pragma unroll
    for (int column = 0; column < 4; ++column) {
      words[word][column] = total.at[row / 2][column][row % 2 * 2 + half];
    }
  }
}

// The first element of a word, from the tile's first.
template <class T>
__device__ int row_of_word(const Place &place, int word) {
  return place.row + word / 8 / T::kBlocksN * 32 + threadIdx.x % 32 / 4 * 4 + word / 2 % 4;
}
template <class T>
__device__ int column_of_word(const Place &place, int word) {
  return place.column + word / 8 % T::kBlocksN * 32 + threadIdx.x % 4 * 8 + word % 2 * 4;
}

template <class T>
__device__ bool all_finite(const Words<T> &words) {
  float sum = 0;
#pragma unroll
  for (int word = 0; word < T::kWords; ++word) {
#pragma unroll
    for (int j = 0; j < 4; ++j) sum = fmaf(words[word][j], 0.0f, sum);
  }
  return sum == 0.0f;
}

template <bool kAlongK>
__device__ float element(const Operand &from, int64_t row, int64_t k) {
  return row < from.extent ? from.data[kAlongK ? row * from.ld + k : k * from.ld + row] : 0.0f;
}

// The slice's part of first_k to end_k once more, on the CUDA cores and straight from global memory: for results that
// are not finite, whose operands may have no planes. Slow, and rare.
template <class T>
__device__ void multiply_plainly(Words<T> &words, const Problem &p, const Place &place, int64_t first_k,
                                 int64_t end_k) {
  memset(words, 0, sizeof words);
  for (int64_t k = first_k; k < end_k; ++k) {
    if ((k - first_k) / 16 % T::kSlices != place.slice) continue;
#pragma unroll
    for (int word = 0; word < T::kWords; ++word) {
      const float a = element<kAlongA>(p.a, place.first_row + row_of_word<T>(place, word), k);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float b = element<kAlongB>(p.b, place.first_column + column_of_word<T>(place, word) + j, k);
        words[word][j] = fmaf(a, b, words[word][j]);
      }
    }
  }
}

// C = alpha * word + beta * C, of which `columns` lie in the matrix.
__device__ void store_elements(const Problem &p, float *c, const float *word, int64_t columns) {
  if (p.vector_c && columns >= 4) {
    float4 value = make_float4(p.alpha * word[0], p.alpha * word[1], p.alpha * word[2], p.alpha * word[3]);
    if (p.beta != 0.0f) {
      const float4 old = *reinterpret_cast<const float4 *>(c);
      value = make_float4(fmaf(p.beta, old.x, value.x), fmaf(p.beta, old.y, value.y), fmaf(p.beta, old.z, value.z),
                          fmaf(p.beta, old.w, value.w));
    }
    *reinterpret_cast<float4 *>(c) = value;
    return;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (j >= columns) continue;
    const float value = p.alpha * word[j];
    c[j] = p.beta != 0.0f ? fmaf(p.beta, c[j], value) : value;
  }
}

template <class T>
__device__ void store_word(const Problem &p, const Place &place, int word, const float *sum) {
  const int64_t row = place.first_row + row_of_word<T>(place, word);
  const int64_t column = place.first_column + column_of_word<T>(place, word);
  if (row < p.m) store_elements(p, p.c + row * p.ldc + column, sum, p.n - column);
}

// What the cluster's blocks (this block where k is not split) wrote to shared memory before, all may read afterwards.
__device__ void meet_to_read(uint32_t split) {
#if __CUDA_ARCH__ >= 900
  if (split > 1) {
    asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
    return;
  }
#endif
  __syncthreads();
}

// No block leaves while others read its shared memory. Orders nothing else, and so does not wait for stores to C.
__device__ void meet_to_leave(uint32_t split) {
#if __CUDA_ARCH__ >= 900
  if (split > 1) asm volatile("barrier.cluster.arrive.relaxed; barrier.cluster.wait;" ::: "memory");
#endif
}

// The word at `shared` in the block `rank` of the cluster.
__device__ float4 load_partial(const float *shared, uint32_t rank, uint32_t split) {
  float4 part = *reinterpret_cast<const float4 *>(shared);
#if __CUDA_ARCH__ >= 900
  if (split > 1) {
    uint32_t address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(address)
        : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(shared))), "r"(rank));
    asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(part.x), "=f"(part.y), "=f"(part.z), "=f"(part.w)
                 : "r"(address));
  }
#endif
  return part;
}

// The sum of the words at `shared` in all blocks of the cluster, in the order of k. All loads are under way before the
// first is waited for.
__device__ void add_partials(float (&total)[4], const float *shared, uint32_t split) {
  float4 parts[kMaxSplit];
#pragma unroll
  for (uint32_t block = 0; block < kMaxSplit; ++block) {
    if (block < split) parts[block] = load_partial(shared, block, split);
  }
#pragma unroll
  for (uint32_t block = 0; block < kMaxSplit; ++block) {
    if (block >= split) break;
    total[0] += parts[block].x, total[1] += parts[block].y, total[2] += parts[block].z, total[3] += parts[block].w;
  }
}

// Adds up the sums of all slices of all blocks of the cluster and stores them. The slices of the blocks share the words
// out; the words of neighbouring threads lie side by side.
template <class T>
__device__ void reduce_and_store(const Problem &p, const Words<T> &words, float *shared, const Place &place) {
  constexpr int kPitch = T::kSliceThreads * 4;  // from a word to the same thread's next
  float *const mine = shared + place.thread * 4;
  __syncthreads();
#pragma unroll
  for (int word = 0; word < T::kWords; ++word) {
    *reinterpret_cast<float4 *>(mine + (place.slice * T::kWords + word) * kPitch) =
        make_float4(words[word][0], words[word][1], words[word][2], words[word][3]);
  }
  meet_to_read(p.split);

  const int rank = blockIdx.x % p.split;
  const int share = rank * T::kSlices + place.slice, shares = p.split * T::kSlices;
  const int end = T::kWords * (share + 1) / shares;
  for (int word = T::kWords * share / shares; word < end; ++word) {
    float total[4] = {};
#pragma unroll
    for (int slice = 0; slice < T::kSlices; ++slice) {
      add_partials(total, mine + (slice * T::kWords + word) * kPitch, p.split);
    }
    store_word<T>(p, place, word, total);
  }
  meet_to_leave(p.split);
}

template <class T, int kWidth>
__global__ void __launch_bounds__(T::kThreads, T::kBlocksPerSm) gemm(const __grid_constant__ Problem p) {
  extern __shared__ __align__(128) float shared[];
  const Place place = place_of_thread<T>(p);
  // The split blocks of a tile share its k out in whole steps of kTileK.
  const uint32_t steps = (static_cast<uint32_t>(p.k) - 1) / T::kTileK + 1, rank = blockIdx.x % p.split;
  const int64_t first_k = steps * rank / p.split * T::kTileK, past_k = steps * (rank + 1) / p.split * T::kTileK;
  const int64_t end_k = past_k < p.k ? past_k : p.k;
  TileCopies<T, kWidth> copies(p, place.first_row, place.first_column, first_k, end_k - first_k);
  Accumulators<T> sum = {};
  multiply_tiles<T, kWidth>(sum, copies, shared, place);

  Words<T> words;
  take_words<T>(words, sum);
  if (!__all_sync(~0u, all_finite<T>(words))) multiply_plainly<T>(words, p, place, first_k, end_k);
  if (T::kSlices > 1 || p.split > 1) {
    reduce_and_store<T>(p, words, shared, place);
  } else {
#pragma unroll
    for (int word = 0; word < T::kWords; ++word) store_word<T>(p, place, word, words[word]);
  }
}

// ---- the launch -----------------------------------------------------------------------------------------------------

template <class T, int kWidth>
cudaError_t launch(const Problem &p, cudaStream_t stream) {
  const int floats = (p.split > 1 || T::kSlices > 1) && T::kSumFloats > T::kRingFloats ? T::kSumFloats : T::kRingFloats;
  const size_t bytes = floats * sizeof(float);
  const auto kernel = reinterpret_cast<const void *>(gemm<T, kWidth>);
  if (bytes > 48 * 1024) {
    // The limit belongs to the current device, so it is raised at each launch that needs it: that is no stream
    // operation, and leaves nothing for threads or devices to disagree about.
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error != cudaSuccess) return error;
  }
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = p.split, cluster.val.clusterDim.y = 1, cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(p.tiles_m * p.tiles_n * p.split), config.blockDim = dim3(T::kThreads);
  config.dynamicSmemBytes = bytes, config.stream = stream;
  config.attrs = &cluster, config.numAttrs = p.split > 1 ? 1 : 0;
  void *arguments[] = {const_cast<Problem *>(&p)};
  return cudaLaunchKernelExC(&config, kernel, arguments);
}

// ---- the choice -----------------------------------------------------------------------------------------------------

// An entry of the menu: its launch functions, for operands that may be copied 16 bytes at a time and for others, and
// what the cost model knows of it. A multiprocessor with `blocks` blocks of the entry takes each_tile * blocks + wait
// cycles for a tile of k of all of them.
struct Entry {
  int tile_m, tile_n, tile_k, slices, blocks_per_sm;
  double each_tile, wait;
  cudaError_t (*launch_aligned)(const Problem &, cudaStream_t);
  cudaError_t (*launch_any)(const Problem &, cudaStream_t);
};

template <class T>
constexpr Entry entry(double each_tile, double wait) {
  return {T::kTileM, T::kTileN, T::kTileK, T::kSlices, T::kBlocksPerSm, each_tile, wait, &launch<T, 4>, &launch<T, 1>};
}

//         m    n  warps  slices stages blocks/SM   each_tile wait
const Entry kMenu[] = {
    entry<Tile<32, 32, 1, 1, 4, 4, 3>>(449, 354),
    entry<Tile<64, 64, 2, 2, 1, 4, 3>>(882, 610),
};
constexpr int kEntries = sizeof kMenu / sizeof *kMenu;

struct Choice {
  int entry, split;
};

// How many clusters of `split` blocks run at once, with at most `resident` blocks on a multiprocessor. A cluster lies
// within one GPC; those of an H200 of 132 multiprocessors have so many that clusters of more than 2 can use, as
// cudaOccupancyMaxActiveClusters tells.
int64_t clusters_at_once(int split, int resident, int sms) {
  if (split <= 2) return int64_t(sms) * resident / split;
  int64_t clusters = 0;
  for (const int gpc : {18, 18, 16, 16, 16, 16, 16, 8}) clusters += gpc * resident / split;
  return clusters * sms / 132;
}

// Cycles that a multiprocessor multiplies, if it has `blocks` blocks of `steps` tiles of k.
double cycles_of_wave(const Entry &e, double steps, int split, int blocks) {
  constexpr double kStart = 2900, kJoinBlocks = 3600, kJoinSlices = 1800;
  if (blocks == 0) return 0;
  const double join = (split > 1 ? kJoinBlocks : 0) + (e.slices > 1 ? kJoinSlices : 0);
  return steps * (e.each_tile * blocks + e.wait) + kStart + join;
}

// Cycles of the whole call but for what any choice takes: full waves of clusters, and a last one. The constants fit a
// sweep of all entries and splits over the shapes of all families on an H200;
// docs/compiler-next/kernel-optimization-playbook.md tells how well.
double cycles(const Entry &e, const Problem &p, int split, int sms) {
  const int64_t clusters = ceil_div(p.m, e.tile_m) * ceil_div(p.n, e.tile_n);
  const int64_t at_once = clusters_at_once(split, e.blocks_per_sm, sms), full = clusters / at_once;
  int resident = 0;
  while (clusters_at_once(split, resident, sms) < clusters - full * at_once) ++resident;
  const double steps = double(ceil_div(ceil_div(p.k, e.tile_k), split));
  return full * cycles_of_wave(e, steps, split, e.blocks_per_sm) + cycles_of_wave(e, steps, split, resident);
}

Choice choose(const Problem &p, int sms, int max_split) {
  Choice best = {kEntries - 1, 1};
  double least = HUGE_VAL;
  for (int i = 0; i < kEntries; ++i) {
    for (int split = 1; split <= max_split; ++split) {
      const double time = cycles(kMenu[i], p, split, sms);
      if (time < least) best = {i, split}, least = time;
    }
  }
  return best;
}

// ---- the entry point ------------------------------------------------------------------------------------------------

// Whether rows of `count` elements may be read 16 bytes at a time.
bool vectors_fit(const void *pointer, int64_t leading_dimension, int64_t count) {
  return reinterpret_cast<uintptr_t>(pointer) % 16 == 0 && leading_dimension % 4 == 0 && count % 4 == 0;
}

bool is_valid(const pyc_gemm_args *args) {
  return args != nullptr && args->struct_size >= sizeof(pyc_gemm_args) && args->m >= 1 && args->n >= 1 &&
         args->k >= 1 && args->lda >= (kTransposedA ? args->m : args->k) &&
         args->ldb >= (kTransposedB ? args->k : args->n) && args->ldc >= args->n;
}

cudaError_t launch_entry(Problem &p, bool aligned, const Choice &choice, cudaStream_t stream) {
  const Entry &e = kMenu[choice.entry];
  p.tiles_m = static_cast<uint32_t>(ceil_div(p.m, e.tile_m));
  p.tiles_n = static_cast<uint32_t>(ceil_div(p.n, e.tile_n));
  p.group_m = p.tiles_m < kGroupM ? p.tiles_m : kGroupM;
  p.split = choice.split;
  return aligned ? e.launch_aligned(p, stream) : e.launch_any(p, stream);
}

cudaError_t launch_best(Problem &p, cudaStream_t stream) {
  int device = 0, sms = 0, major = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error != cudaSuccess) return error;
  const bool has_clusters = major >= 9 && sms >= 2 * kMaxSplit;
  const bool aligned =
      vectors_fit(p.a.data, p.a.ld, kAlongA ? p.k : p.m) && vectors_fit(p.b.data, p.b.ld, kAlongB ? p.k : p.n);
  return launch_entry(p, aligned, choose(p, sms, has_clusters ? kMaxSplit : 1), stream);
}

Problem problem_of(const pyc_gemm_args *args) {
  Problem p = {};
  p.a = {static_cast<const float *>(args->a), args->lda, args->m};
  p.b = {static_cast<const float *>(args->b), args->ldb, args->n};
  p.c = static_cast<float *>(args->c);
  p.m = args->m, p.n = args->n, p.k = args->k, p.ldc = args->ldc;
  p.alpha = args->alpha, p.beta = args->beta;
  p.vector_c = vectors_fit(p.c, p.ldc, 4);
  return p;
}

}  // namespace

PYC_KERNEL pyc_status pyc_gemm_tf32x3_small_nt_v1(const pyc_gemm_args *args, void *stream) {
  if (!is_valid(args)) return PYC_STATUS_INVALID_VALUE;
  constexpr int64_t kSmallestTile = 32, kMaxBlocks = INT32_MAX / kMaxSplit;  // of a one-dimensional grid
  constexpr int64_t kMaxK = INT32_MAX / 2;                                   // copies count k in 32 bits
  if (args->k > kMaxK || (args->m - 1) / kSmallestTile + 1 > kMaxBlocks / ((args->n - 1) / kSmallestTile + 1))
    return PYC_STATUS_UNSUPPORTED;

  Problem p = problem_of(args);
  if (launch_best(p, static_cast<cudaStream_t>(stream)) == cudaSuccess) return PYC_STATUS_SUCCESS;
  cudaGetLastError();  // the status tells it; the next caller's check should not find it again
  return PYC_STATUS_DEVICE_ERROR;
}
