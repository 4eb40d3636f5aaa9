// splitk_fp32: C[m,n] = alpha * op(A) * op(B) + beta * C in fp32 on the CUDA cores, all matrices row-major, any layout.
//
// A menu of tiles. The large tile of simt_fp32 needs thousands of rows and columns before it fills a GPU. Here the same
// data path is compiled for a menu of tiles (kMenu), from 4 x 128 for a single row of C to 128 x 256, and k is split
// over blocks and over the warps of a block. A cost model (choose) takes the tile and the split for each call from m,
// n, k, the operands' alignment and the device alone, so that equal calls give equal bits.
//
// Split over blocks. The `split` blocks that share a tile of C form a thread block cluster; each multiplies its own
// range of k. Then each leaves its sums in its shared memory, the cluster meets at a barrier, and every block adds up
// and stores its share of the tile, reading the others' sums through distributed shared memory, always in the order of
// k. No workspace, no atomics. Devices without clusters (before sm_90) do not split over blocks.
//
// Split over warps. A block of a tile with kSlices > 1 has that many groups of warps; each group multiplies its own
// part of every stage, and the groups' sums join in the same reduction.
//
// Who loads what. Every thread copies its share of both operands from global to shared memory with cp.async, 16 bytes
// at a time (4 where pointers, leading dimensions or sizes do not allow it). A stage holds each operand as it lies in
// memory. Where k runs along the rows of an operand (A as m x k, B as n x k), the rows are padded by 4 floats and a
// thread reads 4 k of a row with one 16-byte load; where it does not, 4 neighbours at one k. Nothing is transposed, and
// either way a thread reads (kThreadM + kThreadN) / 4 words for each k.
//
// Edges. Past k, and past n where B is k x n, cp.async itself fills in zeros. Past the last row of an operand that k
// runs along, that row is copied again: what comes of it is never stored.
//
// Stages and barriers. kStages buffers form a ring; the copies run kLead tiles ahead. There is one barrier for each
// tile, when its last loads have been issued: in front of it each thread waits for its own copies of the next tile.
// Behind it all of the next tile has arrived, and the buffer of this one may be filled again.
//
// Registers. The 4 k of B that are multiplied next, and the next two rows of A, are loaded meanwhile. Accumulators are
// never stored to shared memory as they are: see reduce_and_store.
#include <cmath>
#include <cstdint>
#include <cuda_runtime.h>

#include "pyc/kernel.h"

namespace {

// 1 if the operand is stored transposed: A as k x m, B as n x k.
constexpr int kTransposedA = 0;
constexpr int kTransposedB = 0;

constexpr int kGroupM = 8;    // rows of tiles that neighbouring blocks walk down before they move right, for L2
constexpr int kMaxSplit = 8;  // blocks of a cluster; 8 is the portable limit

// An operand lies along k if neighbours in its memory differ in k: A as m x k, B as n x k.
constexpr bool kAlongA = !kTransposedA, kAlongB = kTransposedB;

constexpr int widest_vector(int count) { return count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1; }
constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// A tile holds what depends on the menu's entry alone. The lanes of a warp lie in a grid over the warp's part, as
// square as fits. Of an operand along k a thread owns every kLanes-th row; of the other kind, blocks of up to 4
// neighbours, spread evenly over the warp's part. Either way the lanes of one load touch different banks.
template <int M, int N, int K, int kThreadRows, int kThreadColumns, int kGroups, int kRing, int kBlocks>
struct Tile {
  static constexpr int kTileM = M, kTileN = N, kTileK = K;
  static constexpr int kThreadM = kThreadRows, kThreadN = kThreadColumns;
  static constexpr int kSlices = kGroups, kBlocksPerSm = kBlocks;
  static constexpr int kStages = kRing, kLead = kStages - 1;
  static constexpr int kSliceThreads = (M / kThreadM) * (N / kThreadN), kThreads = kSliceThreads * kSlices;
  static constexpr int kSliceK = K / kSlices;

  static constexpr bool lanes_fit(int lanes_m) {
    return M % (lanes_m * kThreadM) == 0 && N % (32 / lanes_m * kThreadN) == 0;
  }
  static constexpr int best_lanes() {
    int best = 0, least = 1 << 30;
    for (int lanes_m = 1; lanes_m <= 32; lanes_m *= 2) {
      const int reads = lanes_m * kThreadM + 32 / lanes_m * kThreadN;
      if (lanes_fit(lanes_m) && reads < least) best = lanes_m, least = reads;
    }
    return best;
  }
  static constexpr int kLanesM = best_lanes(), kLanesN = 32 / kLanesM;
  static constexpr int kWarpM = kLanesM * kThreadM, kWarpN = kLanesN * kThreadN, kWarpsN = N / kWarpN;
  static constexpr int kBlockM = kAlongA ? 1 : widest_vector(kThreadM);
  static constexpr int kBlockN = kAlongB ? 1 : widest_vector(kThreadN);
  static constexpr int kSpreadM = kLanesM * kBlockM, kSpreadN = kLanesN * kBlockN;
  // The result of a thread, in words of kBlockN floats.
  static constexpr int kWordsInRow = kThreadN / kBlockN, kWords = kThreadM * kWordsInRow;

  // Shared memory, in floats. Behind the last tile the ring is used again for the sums of all slices.
  static constexpr int kPitchA = kAlongA ? K + 4 : M, kPitchB = kAlongB ? K + 4 : N;
  static constexpr int kFloatsA = (kAlongA ? M : K) * kPitchA, kFloatsB = (kAlongB ? N : K) * kPitchB;
  static constexpr int kFloatsPerStage = kFloatsA + kFloatsB;
  static constexpr int kRingFloats = kStages * kFloatsPerStage, kSumFloats = kSlices * M * N;

  static_assert(kLanesM != 0 && kSliceThreads % 32 == 0 && kThreads <= 1024, "whole warps must fill the tile");
  static_assert(M % 4 == 0 && N % 4 == 0 && K % 8 == 0 && K % (8 * kSlices) == 0, "blocks of 4 k come in pairs");
  static_assert(kStages >= 2, "one tile is copied while another is multiplied");
  static_assert(kRingFloats <= 99 * 256, "sm_89 has 99 KB of shared memory for a block");
  static_assert(kSlices == 1 || kSumFloats <= 99 * 256, "and the sums of the slices must fit too");
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

// The largest power of two, at most 32, that divides count: how many lanes copy neighbouring words of a row.
constexpr int lanes_along(int count) {
  int lanes = 1;
  while (lanes < 32 && count % (2 * lanes) == 0) lanes *= 2;
  return lanes;
}

// A thread's share of the copies of one operand: a stage has kRows rows of kColumns floats, as in memory, kPitch apart.
// k runs along the columns or along the rows, the operand's extent along the other.
template <bool kAlongK, int kRows, int kColumns, int kPitch, int kThreads, int kWidth>
struct OperandCopy {
  static constexpr int kLanes = lanes_along(kColumns / kWidth);
  static constexpr int kColumnsPerPass = kLanes * kWidth, kRowsPerPass = kThreads / kLanes;
  static constexpr int kColumnPasses = kColumns / kColumnsPerPass, kRowPasses = ceil_div(kRows, kRowsPerPass);
  static constexpr int kPasses = kColumnPasses * kRowPasses;

  const float *source[kRowPasses];
  int64_t step;  // from an element of this tile to the one that takes its place in the next
  int row, column;
  int extent_left;  // of the columns, from this thread's first on, where the extent runs along them

  __device__ OperandCopy(const Operand &from, int64_t first, int64_t first_k)
      : step(kAlongK ? kColumns : kRows * from.ld), row(threadIdx.x / kLanes), column(threadIdx.x % kLanes * kWidth) {
    const int64_t left = from.extent - first;
    extent_left = static_cast<int>(left < kColumns ? left : kColumns) - column;
#pragma unroll
    for (int i = 0; i < kRowPasses; ++i) {
      // Rows past the extent repeat the last one: what comes of them is never stored.
      const int64_t wanted = first + row + i * kRowsPerPass, last = from.extent - 1;
      source[i] = kAlongK ? from.data + (wanted < last ? wanted : last) * from.ld + first_k + column
                          : from.data + (first_k + row + i * kRowsPerPass) * from.ld + first + column;
    }
  }

  __device__ void issue(int pass, float *stage, int k_left) const {
    const int i = pass / kColumnPasses, offset = pass % kColumnPasses * kColumnsPerPass;
    const int to_row = row + i * kRowsPerPass;
    if (kRows % kRowsPerPass != 0 && to_row >= kRows) return;
    const bool inside = kAlongK ? column + offset < k_left : to_row < k_left && offset < extent_left;
    copy_async<kWidth>(stage + to_row * kPitch + column + offset, source[i] + offset, inside);
  }

  __device__ void advance() {
#pragma unroll
    for (int i = 0; i < kRowPasses; ++i) source[i] += step;
  }
};

// Both operands' copies of one tile after the other. A tile's copies are issued in kPortions portions. ptxas puts three
// empty loads in front of each run of cp.async on sm_90, so runs should not be short.
template <class T, int kWidth>
struct TileCopies {
  using CopyA = OperandCopy<kAlongA, kAlongA ? T::kTileM : T::kTileK, kAlongA ? T::kTileK : T::kTileM, T::kPitchA,
                            T::kThreads, kWidth>;
  using CopyB = OperandCopy<kAlongB, kAlongB ? T::kTileN : T::kTileK, kAlongB ? T::kTileK : T::kTileN, T::kPitchB,
                            T::kThreads, kWidth>;
  static constexpr int kPasses = CopyA::kPasses + CopyB::kPasses;
  static constexpr int kMaxPortions = 4;
  static constexpr int kPassesPerPortion = kPasses <= 6 * kMaxPortions ? 6 : ceil_div(kPasses, kMaxPortions);
  static constexpr int kPortions = ceil_div(kPasses, kPassesPerPortion);

  CopyA a;
  CopyB b;
  int k_left;  // from the tile's first k on; not positive behind the last tile

  __device__ TileCopies(const Problem &p, int64_t first_row, int64_t first_column, int64_t first_k, int64_t k_count)
      : a(p.a, first_row, first_k), b(p.b, first_column, first_k), k_left(static_cast<int>(k_count)) {}

  __device__ void issue_portion(int portion, float *stage) const {
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass) {
      if (pass / kPassesPerPortion != portion) continue;
      if (pass < CopyA::kPasses) {
        a.issue(pass, stage, k_left);
      } else {
        b.issue(pass - CopyA::kPasses, stage + T::kFloatsA, k_left);
      }
    }
  }

  // Closes the tile's group of copies and turns to the next tile.
  __device__ void finish_tile() {
    commit_copies();
    a.advance();
    b.advance();
    k_left -= T::kTileK;
  }

  __device__ void issue_tile(float *stage) {
#pragma unroll
    for (int portion = 0; portion < kPortions; ++portion) issue_portion(portion, stage);
    finish_tile();
  }
};

// ---- the multiplication ---------------------------------------------------------------------------------------------

template <class T>
using Accumulators = float[T::kThreadM][T::kThreadN];

template <int kWidth>
__device__ void load_vector(float *to, const float *shared) {
  if constexpr (kWidth == 4) {
    const float4 v = *reinterpret_cast<const float4 *>(shared);
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
  } else if constexpr (kWidth == 2) {
    const float2 v = *reinterpret_cast<const float2 *>(shared);
    to[0] = v.x, to[1] = v.y;
  } else {
    to[0] = *shared;
  }
}

// The multiplication goes through k in blocks of 4, and through a block in units. A unit takes one row of A at 4 k
// where A lies along k, else all of the thread's rows at one k; either comes from shared memory 16 bytes at a time.
template <class T>
struct Unit {
  static constexpr int kCount = kAlongA ? T::kThreadM : 4;  // in a block
  static constexpr int kAhead = kAlongA ? 2 : 1;            // units between a load of A and its use
  static constexpr int kHeld = 2 * kAhead;                  // a power of two, so that it divides the units of a tile
  float a[kAlongA ? 4 : T::kThreadM];

  // `from`: the thread's first element of A in the stage.
  __device__ void load(const float *from, int block, int unit) {
    if constexpr (kAlongA) {
      load_vector<4>(a, from + unit * T::kSpreadM * T::kPitchA + block * 4);
    } else {
#pragma unroll
      for (int i = 0; i < T::kThreadM; i += T::kBlockM) {
        load_vector<T::kBlockM>(a + i, from + (block * 4 + unit) * T::kPitchA + i / T::kBlockM * T::kSpreadM);
      }
    }
  }
};

// The thread's columns of B at the 4 k of a block, loaded in kParts parts.
template <class T>
struct BlockB {
  static constexpr int kParts = kAlongB ? T::kThreadN : 4 * T::kThreadN / T::kBlockN;
  float b[4][T::kThreadN];

  __device__ void load(const float *from, int block, int part) {
    if constexpr (kAlongB) {
      float column[4];
      load_vector<4>(column, from + part * T::kSpreadN * T::kPitchB + block * 4);
#pragma unroll
      for (int k = 0; k < 4; ++k) b[k][part] = column[k];
    } else {
      const int k = part % 4, j = part / 4;
      load_vector<T::kBlockN>(b[k] + j * T::kBlockN, from + (block * 4 + k) * T::kPitchB + j * T::kSpreadN);
    }
  }
};

// Every second row runs backwards, so that neighbouring instructions share an operand.
template <class T>
__device__ void multiply_add(Accumulators<T> &sum, const Unit<T> &a, const BlockB<T> &b, int unit) {
  constexpr int kRows = kAlongA ? 4 : T::kThreadM;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int row = kAlongA ? unit : i, k = kAlongA ? i : unit;
#pragma unroll
    for (int step = 0; step < T::kThreadN; ++step) {
      const int j = i % 2 == 0 ? T::kThreadN - 1 - step : step;
      sum[row][j] = fmaf(a.a[i], b.b[k][j], sum[row][j]);
    }
  }
}

// Where the block's tile lies and, inside of it, this thread's first element.
struct Place {
  int64_t first_row, first_column;  // of the tile
  int row, column;                  // of the thread, from there
  int slice, thread;                // the thread's group of warps, and its number in there
};

template <class T>
__device__ Place place_of_thread(const Problem &p) {
  const uint32_t tile = blockIdx.x / p.split;
  const uint32_t per_group = p.group_m * p.tiles_n;  // at most the number of blocks
  const uint32_t group = tile / per_group, in_group = tile % per_group;
  const uint32_t rows = min(p.group_m, p.tiles_m - group * p.group_m);
  const int slice = threadIdx.x / T::kSliceThreads, thread = threadIdx.x % T::kSliceThreads;
  const int warp = thread / 32, lane = thread % 32;
  // Lanes 2 apart share A, lanes 1 apart share B: then the two halves of each half-warp load in one access.
  constexpr int kPair = T::kLanesM < 2 ? 1 : 2;
  const int lane_m = lane % kPair + lane / (kPair * T::kLanesN) * kPair, lane_n = lane / kPair % T::kLanesN;
  return {static_cast<int64_t>(group * p.group_m + in_group % rows) * T::kTileM,
          static_cast<int64_t>(in_group / rows) * T::kTileN,
          warp / T::kWarpsN * T::kWarpM + lane_m * T::kBlockM,
          warp % T::kWarpsN * T::kWarpN + lane_n * T::kBlockN,
          slice,
          thread};
}

// Where the ring stands, in floats from its start.
template <class T>
struct Ring {
  int read = 0, write = T::kLead * T::kFloatsPerStage;

  __device__ static int next(int at) {
    return at == (T::kStages - 1) * T::kFloatsPerStage ? 0 : at + T::kFloatsPerStage;
  }
};

// Multiplies this slice of all tiles along k into `sum`.
template <class T, int kWidth>
__device__ void multiply_tiles(Accumulators<T> &sum, TileCopies<T, kWidth> &copies, float *shared, const Place &place) {
  constexpr int kBlocks = T::kSliceK / 4, kUnits = Unit<T>::kCount, kAhead = Unit<T>::kAhead,
                kParts = BlockB<T>::kParts;
  constexpr int kPending = T::kLead - 1;
#pragma unroll
  for (int stage = 0; stage < T::kLead; ++stage) copies.issue_tile(shared + stage * T::kFloatsPerStage);
  wait_for_copies<kPending>();
  __syncthreads();

  const float *const a =
      shared + place.slice * T::kSliceK * (kAlongA ? 1 : T::kPitchA) + place.row * (kAlongA ? T::kPitchA : 1);
  const float *const b = shared + T::kFloatsA + place.slice * T::kSliceK * (kAlongB ? 1 : T::kPitchB) +
                         place.column * (kAlongB ? T::kPitchB : 1);
  Ring<T> ring;
  Unit<T> units[Unit<T>::kHeld];
  BlockB<T> blocks[2];
#pragma unroll
  for (int unit = 0; unit < kAhead; ++unit) units[unit].load(a, 0, unit);
#pragma unroll
  for (int part = 0; part < kParts; ++part) blocks[0].load(b, 0, part);
  // The copies run kLead tiles ahead of the multiplication.
  while (copies.k_left > -T::kLead * T::kTileK) {
#pragma unroll
    for (int block = 0; block < kBlocks; ++block) {
      const bool last = block == kBlocks - 1;
#pragma unroll
      for (int unit = 0; unit < kUnits; ++unit) {
        const int step = block * kUnits + unit;
        if (last && unit == kUnits - kAhead) {  // this tile has been read
          copies.finish_tile();
          wait_for_copies<kPending>();
          __syncthreads();
          ring.write = Ring<T>::next(ring.write);
          ring.read = Ring<T>::next(ring.read);
        }
        const int ahead = step + kAhead;
        units[ahead % Unit<T>::kHeld].load(a + ring.read, ahead / kUnits % kBlocks, ahead % kUnits);
        // B of the next block: spread over the units, or at once behind the barrier.
#pragma unroll
        for (int part = 0; part < kParts; ++part) {
          if (unit == (last ? kUnits - kAhead + part * kAhead / kParts : part * kUnits / kParts)) {
            blocks[(block + 1) % 2].load(b + ring.read, (block + 1) % kBlocks, part);
          }
        }
        if (!(last && unit >= kUnits - kAhead)) copies.issue_portion(step, shared + ring.write);
        multiply_add<T>(sum, units[step % Unit<T>::kHeld], blocks[block % 2], unit);
      }
    }
  }
  wait_for_copies<0>();
}

// ---- the result -----------------------------------------------------------------------------------------------------

// C = alpha * sum + beta * C for kCount neighbouring elements, of which `columns` lie in the matrix.
template <int kCount>
__device__ void store_elements(const Problem &p, float *c, float alpha, const float *sum, int64_t columns) {
  if (kCount == 4 && p.vector_c && columns >= 4) {
    float4 value = make_float4(alpha * sum[0], alpha * sum[1], alpha * sum[2], alpha * sum[3]);
    if (p.beta != 0.0f) {
      const float4 old = *reinterpret_cast<const float4 *>(c);
      value = make_float4(fmaf(p.beta, old.x, value.x), fmaf(p.beta, old.y, value.y), fmaf(p.beta, old.z, value.z),
                          fmaf(p.beta, old.w, value.w));
    }
    *reinterpret_cast<float4 *>(c) = value;
    return;
  }
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    if (j >= columns) continue;
    const float value = alpha * sum[j];
    c[j] = p.beta != 0.0f ? fmaf(p.beta, c[j], value) : value;
  }
}

// Stores word `word` of this thread's part of the tile: kBlockN elements.
template <class T>
__device__ void store_word(const Problem &p, const Place &place, int word, float alpha, const float *sum) {
  const int i = word / T::kWordsInRow, j = word % T::kWordsInRow;
  const int64_t row = place.first_row + place.row + i / T::kBlockM * T::kSpreadM + i % T::kBlockM;
  const int64_t column = place.first_column + place.column + j * T::kSpreadN;
  if (row < p.m) store_elements<T::kBlockN>(p, p.c + row * p.ldc + column, alpha, sum, p.n - column);
}

// The cluster's barrier; that of the block where a tile is not split over blocks.
__device__ void synchronize(const Problem &p) {
#if __CUDA_ARCH__ >= 900
  if (p.split > 1) {
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    return;
  }
#endif
  __syncthreads();
}

// Adds kWidth floats at `shared` in the block `rank` of the cluster to `to`.
template <int kWidth>
__device__ void add_partial(float *to, const float *shared, uint32_t rank, uint32_t split) {
  float part[kWidth];
#if __CUDA_ARCH__ >= 900
  uint32_t address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(address)
      : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(shared))), "r"(rank));
  if (split == 1) {
    load_vector<kWidth>(part, shared);
  } else if constexpr (kWidth == 4) {
    asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(part[0]), "=f"(part[1]), "=f"(part[2]), "=f"(part[3])
                 : "r"(address));
  } else {
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(part[i]) : "r"(address + 4 * i));
    }
  }
#else
  load_vector<kWidth>(part, shared);
#endif
#pragma unroll
  for (int i = 0; i < kWidth; ++i) to[i] += part[i];
}

// Adds up the sums of all slices of all blocks of the cluster and stores them. A thread's sums lie in words of kBlockN
// floats, word by word, the words of neighbouring threads side by side; the slices of the blocks share the words out.
// alpha is applied in front of the sum: storing the accumulators themselves 16 bytes at a time would tie them to
// neighbouring registers, and 7 % of the multiply-adds would then read three operands from one register bank.
template <class T>
__device__ void reduce_and_store(const Problem &p, const Accumulators<T> &sum, float *shared, const Place &place) {
  constexpr int kWords = T::kWords;
  constexpr int kPitch = T::kSliceThreads * T::kBlockN;  // from a word to the same thread's next
  float *const mine = shared + place.thread * T::kBlockN;
  const float alpha = p.alpha;
  __syncthreads();
#pragma unroll
  for (int word = 0; word < kWords; ++word) {
    const float *const from = sum[word / T::kWordsInRow] + word % T::kWordsInRow * T::kBlockN;
    float *const to = mine + (place.slice * kWords + word) * kPitch;
    if constexpr (T::kBlockN == 4) {
      *reinterpret_cast<float4 *>(to) = make_float4(alpha * from[0], alpha * from[1], alpha * from[2], alpha * from[3]);
    } else {
#pragma unroll
      for (int j = 0; j < T::kBlockN; ++j) to[j] = alpha * from[j];
    }
  }
  synchronize(p);

  const int rank = blockIdx.x % p.split;
  const int share = rank * T::kSlices + place.slice, shares = p.split * T::kSlices;
  const int end = kWords * (share + 1) / shares;
  for (int word = kWords * share / shares; word < end; ++word) {
    float total[T::kBlockN] = {};
#pragma unroll 4
    for (uint32_t block = 0; block < p.split; ++block) {
#pragma unroll
      for (int slice = 0; slice < T::kSlices; ++slice) {
        add_partial<T::kBlockN>(total, mine + (slice * kWords + word) * kPitch, block, p.split);
      }
    }
    store_word<T>(p, place, word, 1.0f, total);
  }
  synchronize(p);  // no block may leave while others read its sums
}

template <class T, int kWidth>
__global__ void __launch_bounds__(T::kThreads, T::kBlocksPerSm) gemm(const __grid_constant__ Problem p) {
  extern __shared__ __align__(16) float shared[];
  const Place place = place_of_thread<T>(p);
  // The split blocks of a tile share its k out in whole steps of kTileK.
  const int64_t steps = (p.k - 1) / T::kTileK + 1, rank = blockIdx.x % p.split;
  const int64_t first_k = steps * rank / p.split * T::kTileK, end_k = steps * (rank + 1) / p.split * T::kTileK;
  TileCopies<T, kWidth> copies(p, place.first_row, place.first_column, first_k, (end_k < p.k ? end_k : p.k) - first_k);
  Accumulators<T> sum = {};
  multiply_tiles<T, kWidth>(sum, copies, shared, place);
  if constexpr (T::kSlices > 1) {
    reduce_and_store<T>(p, sum, shared, place);
  } else if (p.split > 1) {
    reduce_and_store<T>(p, sum, shared, place);
  } else {
#pragma unroll
    for (int word = 0; word < T::kWords; ++word) {
      store_word<T>(p, place, word, p.alpha, sum[word / T::kWordsInRow] + word % T::kWordsInRow * T::kBlockN);
    }
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
// what the cost model knows of it. w warps on one scheduler take (issue * w + wait) cycles for each multiply-add of a
// warp; `start` cycles of a block are neither multiplication nor reduction.
struct Entry {
  int tile_m, tile_n, tile_k, warps, slices, lead, blocks_per_sm;
  double issue, wait, start;
  cudaError_t (*launch_aligned)(const Problem &, cudaStream_t);
  cudaError_t (*launch_any)(const Problem &, cudaStream_t);
};

template <class T>
constexpr Entry entry(double issue, double wait, double start) {
  return {T::kTileM, T::kTileN, T::kTileK, T::kThreads / 32, T::kSlices,   T::kLead, T::kBlocksPerSm,
          issue,     wait,      start,     &launch<T, 4>,    &launch<T, 1>};
}

//        m    n   k  thread slices stages blocks/SM   issue wait start
const Entry kMenu[] = {
    entry<Tile<128, 256, 8, 16, 8, 1, 4, 1>>(1.18, 0.02, 4200),
    entry<Tile<64, 64, 16, 8, 8, 1, 4, 6>>(1.12, 0.30, 5000),
    entry<Tile<32, 128, 32, 8, 8, 2, 3, 3>>(1.22, 0.06, 2600),
    entry<Tile<64, 32, 32, 8, 4, 2, 4, 4>>(1.30, 0.50, 2000),
    entry<Tile<32, 32, 32, 4, 4, 2, 4, 4>>(1.44, 0.02, 1850),
    entry<Tile<16, 64, 64, 4, 4, 4, 3, 3>>(1.10, 1.49, 3350),
    entry<Tile<16, 128, 32, 8, 8, 4, 4, 3>>(1.25, 0.04, 4200),
    entry<Tile<128, 16, 32, 8, 8, 4, 4, 2>>(1.57, 0.05, 3650),
    entry<Tile<128, 48, 32, 8, 12, 2, 3, 2>>(1.10, 0.46, 5000),
    entry<Tile<4, 128, 32, 4, 4, 4, 4, 3>>(3.95, 0.44, 800),
};

struct Choice {
  int entry, split;
};

// How many clusters of `split` blocks run at once, with at most `resident` blocks on a multiprocessor. A cluster lies
// within one GPC; those of an H200 of 132 multiprocessors have so many that clusters of more than 2 can use, as
// cudaOccupancyMaxActiveClusters tells.
int clusters_at_once(int split, int resident, int sms) {
  if (split <= 2) return sms * resident / split;
  int clusters = 0;
  for (const int gpc : {18, 18, 16, 16, 16, 16, 16, 8}) clusters += gpc * resident / split;
  return clusters * sms / 132;
}

// How the clusters follow each other: full waves, and a last one with at most `resident` blocks on a multiprocessor.
struct Waves {
  double full;
  int resident;
};

Waves waves_of(const Entry &e, const Problem &p, int split, int sms) {
  const double clusters = double(ceil_div(p.m, e.tile_m)) * double(ceil_div(p.n, e.tile_n));
  const double at_once = clusters_at_once(split, e.blocks_per_sm, sms), full = std::floor(clusters / at_once);
  int resident = 0;
  while (clusters_at_once(split, resident, sms) < clusters - full * at_once) ++resident;
  return {full, resident};
}

// Cycles that a multiprocessor computes, if it has `blocks` blocks of `steps` steps of kTileK.
double cycles_computing(const Entry &e, double steps, bool aligned, int split, int blocks) {
  constexpr double kCopy = 8;                                        // issue slots for 32 floats, 4 bytes at a time
  constexpr double kJoin = 1000, kJoinBlock = 400, kJoinSum = 0.27;  // for a cluster, each block of it, each sum
  if (blocks == 0) return 0;
  const double warp_k = steps * e.tile_k / (32 * e.warps), multiplies = warp_k * e.tile_m * e.tile_n;
  const double copies = aligned ? 0 : kCopy * warp_k * (e.tile_m + e.tile_n);
  const double warps = (blocks * e.warps + 3) / 4;  // of the scheduler that has most of them
  const double join = kJoin + kJoinBlock * split + kJoinSum * e.tile_m * e.tile_n * e.slices * blocks;
  return (e.issue * multiplies + copies) * warps + e.wait * multiplies + e.start + (split > 1 ? join : 0);
}

// Cycles that its copies take: it receives 64 bytes in a cycle, and a copy arrives 1750 cycles after its issue (cold).
double cycles_loading(const Entry &e, double steps, int blocks) {
  const double by_rate = blocks * steps * e.tile_k * (e.tile_m + e.tile_n) * 4 / 64;
  return blocks == 0 ? 0 : std::fmax(by_rate, steps * 1750 / e.lead);
}

// Cycles of the whole call but for the launch. The constants fit a sweep of all tiles and splits over shapes of all
// families on an H200 at 1.965 GHz; docs/compiler-next/kernel-optimization-playbook.md tells how well.
double cycles(const Entry &e, const Problem &p, bool aligned, int split, int sms) {
  constexpr double kMemoryBytes = 1930;  // that the memory delivers in a cycle: 3.8 TB/s
  const double steps = double(ceil_div(ceil_div(p.k, e.tile_k), split));
  const Waves waves = waves_of(e, p, split, sms);
  const double compute = waves.full * cycles_computing(e, steps, aligned, split, e.blocks_per_sm) +
                         cycles_computing(e, steps, aligned, split, waves.resident);
  const double load = waves.full * cycles_loading(e, steps, e.blocks_per_sm) + cycles_loading(e, steps, waves.resident);
  const double memory = 4.0 * (double(p.m) * p.k + double(p.k) * p.n + double(p.m) * p.n) / kMemoryBytes;
  return std::sqrt(compute * compute + load * load + memory * memory);  // they overlap, but not wholly
}

Choice choose(const Problem &p, bool aligned, int sms, int max_split) {
  Choice best = {0, 1};
  double least = cycles(kMenu[0], p, aligned, 1, sms);
  for (int i = 0; i < int(sizeof kMenu / sizeof *kMenu); ++i) {
    for (int split = 1; split <= max_split; ++split) {
      const double time = cycles(kMenu[i], p, aligned, split, sms);
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

cudaError_t launch_best(Problem &p, bool aligned, cudaStream_t stream) {
  int device = 0, sms = 0, major = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error != cudaSuccess) return error;
  const bool has_clusters = major >= 9 && sms >= 2 * kMaxSplit;
  const Choice choice = choose(p, aligned, sms, has_clusters ? kMaxSplit : 1);
  const Entry &e = kMenu[choice.entry];
  p.tiles_m = static_cast<uint32_t>(ceil_div(p.m, e.tile_m));
  p.tiles_n = static_cast<uint32_t>(ceil_div(p.n, e.tile_n));
  p.group_m = p.tiles_m < kGroupM ? p.tiles_m : kGroupM;
  p.split = choice.split;
  return aligned ? e.launch_aligned(p, stream) : e.launch_any(p, stream);
}

}  // namespace

PYC_KERNEL pyc_status pyc_gemm_splitk_square_v1(const pyc_gemm_args *args, void *stream) {
  if (!is_valid(args)) return PYC_STATUS_INVALID_VALUE;
  constexpr int64_t kSmallestTile = 4, kMaxBlocks = INT32_MAX / kMaxSplit;  // of a one-dimensional grid
  constexpr int64_t kMaxK = INT32_MAX / 2;                                  // copies count k in 32 bits
  if (args->k > kMaxK || (args->m - 1) / kSmallestTile + 1 > kMaxBlocks / ((args->n - 1) / kSmallestTile + 1))
    return PYC_STATUS_UNSUPPORTED;

  Problem p = {};
  p.a = {static_cast<const float *>(args->a), args->lda, args->m};
  p.b = {static_cast<const float *>(args->b), args->ldb, args->n};
  p.c = static_cast<float *>(args->c);
  p.m = args->m, p.n = args->n, p.k = args->k, p.ldc = args->ldc;
  p.alpha = args->alpha, p.beta = args->beta;
  p.vector_c = vectors_fit(p.c, p.ldc, 4);
  const bool aligned =
      vectors_fit(p.a.data, p.a.ld, kAlongA ? p.k : p.m) && vectors_fit(p.b.data, p.b.ld, kAlongB ? p.k : p.n);
  if (launch_best(p, aligned, static_cast<cudaStream_t>(stream)) == cudaSuccess) return PYC_STATUS_SUCCESS;
  cudaGetLastError();  // the status tells it; the next caller's check should not find it again
  return PYC_STATUS_DEVICE_ERROR;
}
