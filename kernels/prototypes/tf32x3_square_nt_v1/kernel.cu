// tf32x3_fp32: C[m,n] = alpha * op(A) * op(B) + beta * C in fp32, multiplied by the tensor cores (on Hopper by
// warpgroup instructions), all matrices row-major, any layout. The result has the accuracy of an fp32 kernel, which
// TF32 has not.
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
// X and Y. A warpgroup multiplies 128 rows of one operand, X, by 32 or 64 rows of the other, Y. It takes X from
// registers and Y from shared memory: each warp loads 32 rows of X as they are and splits them in registers, once; the
// block's warps together split Y into planes in shared memory, one tile ahead of the multiplication. X is A and Y is B,
// or the other way round (kSwapped) where C has few rows: then the long, streamed operand is still the one in
// registers.
//
// A block of an operand. Both are split in blocks of 32 rows by 16 k. Of a block lane 4g + t holds the rows 4g to 4g +
// 3 at k = 4t to 4t + 3: four 16-byte loads, whichever way the operand lies in memory. Which rows and k of a block the
// instruction gets is free as long as the accumulators know it, so each lane feeds it what it has: a lane ends with
// rows 4g to 4g + 3 of X and 8t to 8t + 7 of Y of each 32 x 32 block of the result, neighbours in C either way.
//
// Stages. cp.async copies both operands as they lie, 16 bytes at a time (4 where pointers, leading dimensions or sizes
// do not allow it), into a ring of kStages stages, X kStages - 1 tiles ahead and Y one more, zeros outside. Units of 16
// bytes change places within a row so that the loads above, and the copies, find all banks. One barrier a tile: behind
// it the planes of this tile's Y, its X and the next tile's Y can be read, and the last tile's may be overwritten.
//
// Few tiles. k is split over the blocks of a thread block cluster; their sums join in shared memory, in the order of k.
// A cost model (choose) takes tile and split from the shape, the alignment and the device alone, so that equal calls
// give equal bits.
//
// Before sm_90 the same fragments go to mma.sync, and k is not split.
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

// A block of the kernel for a single row or column of C whose matrix lies across k.
constexpr int kVectorThreads = 1024;
constexpr int kVectorColumns = 32;

// An operand lies along k if neighbours in its memory differ in k: A as m x k, B as n x k.
constexpr bool kAlongA = !kTransposedA, kAlongB = kTransposedB;

constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// A block has kGroupsX x kGroupsY warpgroups, each with 128 rows of X and kPartY of Y, and that kSlices times: every
// slice takes a part of the panels of 16 k.
template <bool kSwap, int kPartY, int kGroupsX, int kGroupsY, int kGroupsK, int K, int kRing, int kBlocks>
struct Tile {
  static constexpr bool kSwapped = kSwap;
  static constexpr int kTileX = 128 * kGroupsX, kTileY = kPartY * kGroupsY, kTileK = K, kSlices = kGroupsK;
  static constexpr int kTileM = kSwap ? kTileY : kTileX, kTileN = kSwap ? kTileX : kTileY;
  static constexpr int kColumnsY = kPartY, kGroupsOfY = kGroupsY;  // of a warpgroup; warpgroups along Y
  static constexpr bool kAlongX = kSwap ? kAlongB : kAlongA, kAlongY = kSwap ? kAlongA : kAlongB;
  static constexpr int kBlocksPerSm = kBlocks, kStages = kRing, kLead = kStages - 1;
  static constexpr int kSliceThreads = 128 * kGroupsX * kGroupsY, kThreads = kSliceThreads * kSlices;
  static constexpr int kPanels = K / 16, kPanelsOfSlice = kPanels / kSlices;  // in a tile
  static constexpr int kWords = kPartY / 4;                                   // a thread's part of C, in 4 floats

  // Shared memory, in floats. Behind the last tile the ring is used again for the sums of a split k.
  static constexpr int kFloatsX = kTileX * K, kFloatsPerStage = (kTileX + kTileY) * K;
  static constexpr int kRingFloats = kStages * kFloatsPerStage, kSumFloats = kSlices * kTileX * kTileY;
  static constexpr int kPlanesFloats = 2 * K * kTileY;  // one buffer of Y's planes
  static constexpr int kBytes = 4 * ((kRingFloats > kSumFloats ? kRingFloats : kSumFloats) + 2 * kPlanesFloats);

  static_assert(kPartY == 32 || kPartY == 64, "the instructions below are for 32 and 64 columns");
  static_assert(kPanels % kSlices == 0 && kThreads <= 1024, "the slices share a tile out in panels");
  static_assert(kStages >= 2, "one tile is copied while another is multiplied");
  static_assert(kBytes <= 227 * 1024, "sm_90 has 227 KB of shared memory for a block");
};

struct Operand {
  const float *data;
  int64_t ld, extent;  // extent: m of A, n of B
  bool read_once;      // by one tile of C for each of its elements
};

struct Problem {
  Operand a, b;
  float *c;
  int64_t m, n, k, ldc;
  float alpha, beta;
  uint32_t tiles_m, tiles_n, group_m, split;
  bool vector_c;  // rows of C may be read and written 16 bytes at a time
};

// Where the block's tile lies, and this thread's part of it: the first rows of X and of Y of its warp.
struct Place {
  int64_t first_row, first_column;  // of the tile
  int x, y;                         // of the warp, from there
  int slice, thread;                // the thread's group of warpgroups, and its number in there
};

template <class T>
__device__ Place place_of_thread(const Problem &p) {
  const uint32_t tile = blockIdx.x / p.split;
  const uint32_t per_group = p.group_m * p.tiles_n;  // at most the number of blocks
  const uint32_t group = tile / per_group, in_group = tile % per_group;
  const uint32_t rows = min(p.group_m, p.tiles_m - group * p.group_m);
  // The same for all lanes of a warp, and said so: descriptors of planes then need no vector registers.
  const int slice = T::kSlices == 1 ? 0 : __shfl_sync(~0u, threadIdx.x / T::kSliceThreads, 0);
  const int thread = threadIdx.x - slice * T::kSliceThreads;
  const int warp = __shfl_sync(~0u, thread / 32, 0), warpgroup = T::kSliceThreads == 128 ? 0 : warp / 4;
  return {static_cast<int64_t>(group * p.group_m + in_group % rows) * T::kTileM,
          static_cast<int64_t>(in_group / rows) * T::kTileN,
          warpgroup / T::kGroupsOfY * 128 + warp % 4 * 32,
          warpgroup % T::kGroupsOfY * T::kColumnsY,
          slice,
          thread};
}

// ---- copies from global to shared memory ----------------------------------------------------------------------------

// What L2 does with copied lines. Those of an operand that is read once are the first to go: they then replace each
// other and not what the program wrote before, which would have to be written back first.
__device__ uint64_t cache_policy(bool read_once) {
  uint64_t policy;
  if (read_once) {
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  } else {
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
  }
  return policy;
}

// Copies kWidth floats; zeros instead, without reading global memory, unless `inside`.
template <int kWidth>
__device__ void copy_async(float *shared, const float *global, bool inside, uint64_t policy) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  if constexpr (kWidth == 4) {
    asm volatile(
        "{ .reg .pred outside; setp.eq.u32 outside, %2, 0; cp.async.cg.shared.global.L2::cache_hint.L2::128B [%0], "
        "[%1], 16, "
        "outside, %3; }" ::"r"(address),
        "l"(global), "r"(uint32_t(inside)), "l"(policy)
        : "memory");
  } else {
    asm volatile(
        "{ .reg .pred outside; setp.eq.u32 outside, %2, 0; cp.async.ca.shared.global.L2::cache_hint.L2::128B [%0], "
        "[%1], 4, "
        "outside, %3; }" ::"r"(address),
        "l"(global), "r"(uint32_t(inside)), "l"(policy)
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
  if (kAlongK && kUnits == 4) return ((row >> 1) * 8 + (((row ^ row >> 2) & 1) << 2 | unit)) * 4;  // rows in pairs
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
  uint64_t policy;
  int row, column, extent_left;

  __device__ OperandCopy(const Operand &from, int64_t first, int64_t first_k)
      : ld(from.ld),
        policy(cache_policy(from.read_once)),
        row(threadIdx.x / kLanes),
        column(threadIdx.x % kLanes * kWidth) {
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
                         source + pass * kRowsPerPass * ld, inside, policy);
    }
  }

  __device__ void advance() { source += kAlongK ? T::kTileK : T::kTileK * ld; }
};

// Y runs a tile ahead of X, because it is split a tile ahead.
template <class T, int kWidth>
struct TileCopies {
  OperandCopy<T, T::kAlongX, T::kTileX, kWidth> x;
  OperandCopy<T, T::kAlongY, T::kTileY, kWidth> y;
  int k_left;  // from the first k of X's tile on; not positive behind the last tile

  __device__ TileCopies(const Problem &p, const Place &place, int64_t first_k, int64_t k_count)
      : x(T::kSwapped ? p.b : p.a, T::kSwapped ? place.first_column : place.first_row, first_k),
        y(T::kSwapped ? p.a : p.b, T::kSwapped ? place.first_row : place.first_column, first_k),
        k_left(static_cast<int>(k_count)) {}

  __device__ void issue_first_y(float *stage) {
    y.issue(stage + T::kFloatsX, k_left);
    y.advance();
  }

  // Issues the copies of X of a tile and Y of the next as one group, and turns to the next tile.
  __device__ void issue_tile(float *stage_x, float *stage_y) {
    x.issue(stage_x, k_left);
    y.issue(stage_y + T::kFloatsX, k_left - T::kTileK);
    commit_copies();
    x.advance();
    y.advance();
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

// Two m64 instructions make the 128 rows of a warpgroup; of instruction `half` the lane has the rows 4g + 2 * half +
// {0, 1} of its warp's 32. at[half][j]: as mma counts them, (row 0, column 0), (0, 1), (1, 0), (1, 1) of columns 8j +
// 2t + {0, 1}, which are rows 8t + j % 4 and 8t + 4 + j % 4 of Y's block j / 4.
template <class T>
struct Sums {
  float at[2][T::kColumnsY / 8][4];
};

template <class T>
struct Accumulators {
  Sums<T> total, tile;
};

// Y's planes in shared memory, as wgmma reads operands along k that are not swizzled: matrices of 8 rows of 16 bytes,
// two of them side by side for the 8 k of an instruction, 128 bytes apart, and 256 bytes to the next 8 rows.
// Instruction `step` of a panel takes, of each 4 k of a lane, k 2 * step and the next. The row is a multiple of 8.
template <class T>
__device__ int place_in_planes(int panel, int plane, int step, int row) {
  return (((panel * 2 + plane) * 2 + step) * T::kTileY + row) * 8;
}

// Splits the tile's Y, in blocks of 32 rows by 16 k, each by one warp. Row 4g + r of a block becomes row 8r + g.
template <class T>
__device__ void split_y(float *planes, const float *stage) {
  const int lane = threadIdx.x % 32;
  constexpr int kCount = T::kTileY / 32 * T::kPanels, kWarps = T::kThreads / 32;
#pragma unroll
  for (int first = 0; first < kCount; first += kWarps) {
    const int block = first + threadIdx.x / 32;
    if (kCount % kWarps != 0 && block >= kCount) break;
    const int panel = block % T::kPanels, rows = block / T::kPanels;
    Planes y;
    load_planes<T, T::kAlongY, T::kTileY>(y, stage + T::kFloatsX, rows, panel);
#pragma unroll
    for (int plane = 0; plane < 2; ++plane) {
#pragma unroll
      for (int r = 0; r < 4; ++r) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          planes[place_in_planes<T>(panel, plane, k / 2, rows * 32 + 8 * r) + k % 2 * 32 + lane] = y.at[plane][r][k];
        }
      }
    }
  }
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
__device__ uint64_t descriptor_of(const float *planes) {
  const uint64_t address =
      __cvta_generic_to_shared(planes) & 0x3ffff;  // the upper bits may name a block of the cluster
  return address >> 4 | uint64_t(128 >> 4) << 16 | uint64_t(256 >> 4) << 32;
}

__device__ void begin_group() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void end_group() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait_for_groups() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ void publish_planes() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// d = x * y, or d += x * y unless kFirst.
#define PYC_D4(kind, j) kind(d[j][0]), kind(d[j][1]), kind(d[j][2]), kind(d[j][3])
#define PYC_D16(kind, j) PYC_D4(kind, j), PYC_D4(kind, j + 1), PYC_D4(kind, j + 2), PYC_D4(kind, j + 3)
#define PYC_X_AND_Y "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(y)
#define PYC_WGMMA_32(add)                                                                                        \
  "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, " \
  "%13, %14, %15}, {%16, %17, %18, %19}, %20, " #add ", 1, 1;"
#define PYC_WGMMA_64(add)                                                                                        \
  "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, " \
  "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, "  \
  "%34, %35}, %36, " #add ", 1, 1;"

template <bool kFirst>
__device__ void multiply_add(float (&d)[4][4], const uint32_t (&x)[4], uint64_t y) {
  if constexpr (kFirst) {
    asm volatile(PYC_WGMMA_32(0) : PYC_D16("=f", 0) : PYC_X_AND_Y : "memory");
  } else {
    asm volatile(PYC_WGMMA_32(1) : PYC_D16("+f", 0) : PYC_X_AND_Y : "memory");
  }
}

template <bool kFirst>
__device__ void multiply_add(float (&d)[8][4], const uint32_t (&x)[4], uint64_t y) {
  if constexpr (kFirst) {
    asm volatile(PYC_WGMMA_64(0) : PYC_D16("=f", 0), PYC_D16("=f", 4) : PYC_X_AND_Y : "memory");
  } else {
    asm volatile(PYC_WGMMA_64(1) : PYC_D16("+f", 0), PYC_D16("+f", 4) : PYC_X_AND_Y : "memory");
  }
}
#else
__device__ uint64_t descriptor_of(const float *planes) { return reinterpret_cast<uint64_t>(planes) / 16; }
__device__ void begin_group() {}
__device__ void end_group() {}
__device__ void wait_for_groups() {}
__device__ void publish_planes() {}

template <bool kFirst, int kCount>
__device__ void multiply_add(float (&d)[kCount][4], const uint32_t (&x)[4], uint64_t y) {
  const uint32_t *const lane = reinterpret_cast<const uint32_t *>(y * 16) + threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    float(&c)[4] = d[j];
    if (kFirst) c[0] = c[1] = c[2] = c[3] = 0.0f;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(lane[64 * j]), "r"(lane[64 * j + 32]));
  }
}
#endif

// One product of planes of panel `panel`; `y`: the descriptor of this warpgroup's rows of the planes.
template <bool kFirst, class T>
__device__ void multiply_planes(Sums<T> &sum, const Planes &x, int plane_x, uint64_t y, int panel, int plane_y) {
#pragma unroll
  for (int step = 0; step < 2; ++step) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const auto &low = x.at[plane_x][2 * half], &high = x.at[plane_x][2 * half + 1];
      const uint32_t words[4] = {__float_as_uint(low[2 * step]), __float_as_uint(high[2 * step]),
                                 __float_as_uint(low[2 * step + 1]), __float_as_uint(high[2 * step + 1])};
      const uint64_t planes = y + place_in_planes<T>(panel, plane_y, step, 0) / 4;  // in 16 bytes
      if (kFirst && step == 0) {
        multiply_add<true>(sum.at[half], words, planes);
      } else {
        multiply_add<false>(sum.at[half], words, planes);
      }
    }
  }
}

template <class T>
__device__ void add_tile(Accumulators<T> &sum) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int j = 0; j < T::kColumnsY / 8; ++j) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        float &part = sum.tile.at[half][j][i];
        asm volatile("" : "+f"(part)::"memory");  // it is complete only here, which the compiler cannot know
        sum.total.at[half][j][i] += part;
      }
    }
  }
}

// Multiplies the block's range of k.
template <class T, int kWidth>
__device__ void multiply_tiles(Accumulators<T> &sum, TileCopies<T, kWidth> &copies, float *shared, float *planes,
                               const Place &place) {
  constexpr int kStep = T::kFloatsPerStage, kLast = T::kLead * kStep;
  copies.issue_first_y(shared);
#pragma unroll
  for (int i = 0; i < T::kLead; ++i) copies.issue_tile(shared + i * kStep, shared + (i + 1) * kStep);
  wait_for_copies<T::kLead - 1>();
  __syncthreads();
  split_y<T>(planes, shared);

  int write = kLast, read = 0, buffer = 0;
  while (copies.k_left > -T::kLead * T::kTileK) {  // the copies run kLead tiles ahead of the multiplication
    wait_for_copies<T::kLead - 1>();
    publish_planes();
    __syncthreads();
    copies.issue_tile(shared + write, shared + read);  // this tile's Y has been split
    const int next = read == kLast ? 0 : read + kStep;
    // A slice takes every kSlices-th panel, which its descriptor begins at.
    const uint64_t y = descriptor_of(planes + buffer + place_in_planes<T>(place.slice, 0, 0, place.y));
    Planes x[T::kPanelsOfSlice];
#pragma unroll
    for (int i = 0; i < T::kPanelsOfSlice; ++i) {
      load_planes<T, T::kAlongX, T::kTileX>(x[i], shared + read, place.x / 32, place.slice + i * T::kSlices);
      begin_group();
      if (i == 0) {
        multiply_planes<true>(sum.tile, x[i], 0, y, 0, 1);
      } else {
        multiply_planes<false>(sum.tile, x[i], 0, y, i * T::kSlices, 1);
      }
      multiply_planes<false>(sum.tile, x[i], 1, y, i * T::kSlices, 0);
      end_group();
      if (i == 0) split_y<T>(planes + (T::kPlanesFloats - buffer), shared + next);
    }
    begin_group();
#pragma unroll
    for (int i = 0; i < T::kPanelsOfSlice; ++i) {
      multiply_planes<false>(sum.tile, x[i], 0, y, i * T::kSlices, 0);
    }
    end_group();
    wait_for_groups();
    add_tile(sum);
    write = read, read = next, buffer = T::kPlanesFloats - buffer;
  }
  wait_for_copies<0>();
}

// ---- the result -----------------------------------------------------------------------------------------------------

// A thread's part of C in words of 4 neighbouring columns. Word 8 * block + 2 * i + half has, of Y's block, the row 4g
// + i of X and the rows 8t + 4 * half + {0 to 3} of Y; swapped, the rows 4g + {0 to 3} of X and 8t + 4 * half + i of Y.
template <class T>
using Words = float[T::kWords][4];

template <class T>
__device__ void take_words(Words<T> &words, const Accumulators<T> &sum) {
#pragma unroll
  for (int word = 0; word < T::kWords; ++word) {
#pragma unroll
    for (int column = 0; column < 4; ++column) {
      const int i = word / 2 % 4, row = T::kSwapped ? column : i, j = word / 8 * 4 + (T::kSwapped ? i : column);
      const int at = row % 2 * 2 + word % 2;
      words[word][column] = sum.total.at[row / 2][j][at];
    }
  }
}

// The first element of a word, from the tile's first.
template <class T>
__device__ int row_of_word(const Place &place, int word) {
  const int lane = threadIdx.x % 32, i = word / 2 % 4;
  return T::kSwapped ? place.y + word / 8 * 32 + lane % 4 * 8 + word % 2 * 4 + i : place.x + lane / 4 * 4 + i;
}
template <class T>
__device__ int column_of_word(const Place &place, int word) {
  const int lane = threadIdx.x % 32;
  return T::kSwapped ? place.x + lane / 4 * 4 : place.y + word / 8 * 32 + lane % 4 * 8 + word % 2 * 4;
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

// The thread's part of first_k to end_k once more, on the CUDA cores and straight from global memory: for results that
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
  float *const planes = shared + T::kBytes / 4 - 2 * T::kPlanesFloats;
  const Place place = place_of_thread<T>(p);
  // The split blocks of a tile share its k out in whole steps of kTileK.
  const uint32_t steps = (static_cast<uint32_t>(p.k) - 1) / T::kTileK + 1, rank = blockIdx.x % p.split;
  const int64_t first_k = steps * rank / p.split * T::kTileK, past_k = steps * (rank + 1) / p.split * T::kTileK;
  const int64_t end_k = past_k < p.k ? past_k : p.k;
  TileCopies<T, kWidth> copies(p, place, first_k, end_k - first_k);
  Accumulators<T> sum = {};
  multiply_tiles<T, kWidth>(sum, copies, shared, planes, place);

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

// ---- a single row or column of C ------------------------------------------------------------------------------------

// c[i] = alpha * sum over k of matrix(i, k) * vector[k] + beta * c[i]: the matrix is B for a row of C, A for a column.
struct VectorProblem {
  Operand matrix;
  const float *vector;
  float *c;
  int64_t vector_step, c_step, k;  // from one element of the vector, of C, to the next
  float alpha, beta;
};

__device__ void store_element(const VectorProblem &p, int64_t i, float sum) {
  float *const c = p.c + i * p.c_step;
  *c = p.beta != 0.0f ? fmaf(p.beta, *c, p.alpha * sum) : p.alpha * sum;
}

__device__ float4 load_streamed(const float *global) {
  float4 v;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
      : "l"(global));
  return v;
}

__device__ float dot(const float4 &x, const float4 &y, float sum) {
  return fmaf(x.w, y.w, fmaf(x.z, y.z, fmaf(x.y, y.y, fmaf(x.x, y.x, sum))));
}

// The matrix lies along k: a warp takes a row of it, 8 units of 16 bytes a thread at a time.
constexpr int kAlongThreads = 256, kAlongUnits = 8;

template <bool kVectors>
__global__ void __launch_bounds__(kAlongThreads) multiply_rows(const __grid_constant__ VectorProblem p) {
  const int64_t row = int64_t(blockIdx.x) * (kAlongThreads / 32) + threadIdx.x / 32;
  if (row >= p.matrix.extent) return;
  const float *const from = p.matrix.data + row * p.matrix.ld;
  const int lane = threadIdx.x % 32;
  float sum = 0;
  int64_t k = 0;
  if (kVectors) {
    for (; k + 128 * kAlongUnits <= p.k; k += 128 * kAlongUnits) {
      float4 x[kAlongUnits];
#pragma unroll
      for (int i = 0; i < kAlongUnits; ++i) x[i] = load_streamed(from + k + i * 128 + lane * 4);
#pragma unroll
      for (int i = 0; i < kAlongUnits; ++i) {
        sum = dot(x[i], *reinterpret_cast<const float4 *>(p.vector + k + i * 128 + lane * 4), sum);
      }
    }
  }
#pragma unroll 4
  for (k += lane; k < p.k; k += 32) sum = fmaf(from[k], p.vector[k * p.vector_step], sum);
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
  if (lane == 0) store_element(p, row, sum);
}

// The matrix lies across k: a block takes kVectorColumns columns of it, a thread 4 of them at every kAcrossStep-th k.
// No cluster shares k: its blocks would have to lie in one GPC, and then some multiprocessors have more of them than
// others.
constexpr int kAcrossLanes = kVectorColumns / 4, kAcrossStep = kVectorThreads / kAcrossLanes, kAcrossUnits = 8;
static_assert(kAcrossLanes <= 32 && 32 % kAcrossLanes == 0 && kVectorThreads % 32 == 0, "a warp takes whole rows");

__device__ void add_scaled(float4 &sum, const float4 &x, float y) {
  sum.x = fmaf(x.x, y, sum.x), sum.y = fmaf(x.y, y, sum.y), sum.z = fmaf(x.z, y, sum.z), sum.w = fmaf(x.w, y, sum.w);
}

// The thread's part of its 4 columns' sums.
__device__ float4 multiply_columns(const VectorProblem &p, int64_t column) {
  const int64_t first_k = threadIdx.x / kAcrossLanes, step = kAcrossStep * p.matrix.ld;
  const float *from = p.matrix.data + first_k * p.matrix.ld + column;
  const float *vector = p.vector + first_k * p.vector_step;
  int left = static_cast<int>(p.k - first_k);
  float4 sum = {};
  for (; left > (kAcrossUnits - 1) * kAcrossStep; left -= kAcrossUnits * kAcrossStep) {
    float4 x[kAcrossUnits];
#pragma unroll
    for (int i = 0; i < kAcrossUnits; ++i) x[i] = load_streamed(from + i * step);
#pragma unroll
    for (int i = 0; i < kAcrossUnits; ++i) add_scaled(sum, x[i], vector[i * kAcrossStep * p.vector_step]);
    from += kAcrossUnits * step, vector += kAcrossUnits * kAcrossStep * p.vector_step;
  }
  for (; left > 0; left -= kAcrossStep) {
    add_scaled(sum, load_streamed(from), *vector);
    from += step, vector += kAcrossStep * p.vector_step;
  }
  return sum;
}

__global__ void __launch_bounds__(kVectorThreads) multiply_across(const __grid_constant__ VectorProblem p) {
  __shared__ float4 sums[kVectorThreads / 32][kAcrossLanes];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int64_t column = int64_t(blockIdx.x) * kVectorColumns + lane % kAcrossLanes * 4;
  const bool inside = column < p.matrix.extent;
  float4 sum = inside ? multiply_columns(p, column) : make_float4(0, 0, 0, 0);
#pragma unroll
  for (int apart = 16; apart >= kAcrossLanes; apart /= 2) {
    sum.x += __shfl_xor_sync(~0u, sum.x, apart), sum.y += __shfl_xor_sync(~0u, sum.y, apart);
    sum.z += __shfl_xor_sync(~0u, sum.z, apart), sum.w += __shfl_xor_sync(~0u, sum.w, apart);
  }
  if (lane < kAcrossLanes) sums[warp][lane] = sum;
  __syncthreads();
  if (threadIdx.x >= kAcrossLanes || !inside) return;
  float4 total = {};
#pragma unroll
  for (int i = 0; i < kVectorThreads / 32; ++i) add_scaled(total, sums[i][lane], 1.0f);
  store_element(p, column, total.x);
  store_element(p, column + 1, total.y);
  store_element(p, column + 2, total.z);
  store_element(p, column + 3, total.w);
}

// ---- the launch -----------------------------------------------------------------------------------------------------

// Launches blocks in clusters of `split`.
cudaError_t launch_kernel(const void *kernel, const void *problem, int64_t blocks, int threads, size_t bytes,
                          uint32_t split, cudaStream_t stream) {
  if (bytes > 48 * 1024) {
    // The limit belongs to the current device, so it is raised at each launch that needs it: that is no stream
    // operation, and leaves nothing for threads or devices to disagree about.
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error != cudaSuccess) return error;
  }
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = split, cluster.val.clusterDim.y = 1, cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<uint32_t>(blocks)), config.blockDim = dim3(threads);
  config.dynamicSmemBytes = bytes, config.stream = stream;
  config.attrs = &cluster, config.numAttrs = split > 1 ? 1 : 0;
  void *arguments[] = {const_cast<void *>(problem)};
  return cudaLaunchKernelExC(&config, kernel, arguments);
}

template <class T, int kWidth>
cudaError_t launch(const Problem &p, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void *>(gemm<T, kWidth>), &p, int64_t(p.tiles_m) * p.tiles_n * p.split,
                       T::kThreads, T::kBytes, p.split, stream);
}

// `along`: the matrix lies along k; `vectors`: it may be read 16 bytes at a time.
cudaError_t launch_vector(const VectorProblem &p, bool along, bool vectors, cudaStream_t stream) {
  if (along) {
    const auto kernel = reinterpret_cast<const void *>(vectors ? multiply_rows<true> : multiply_rows<false>);
    return launch_kernel(kernel, &p, ceil_div(p.matrix.extent, kAlongThreads / 32), kAlongThreads, 0, 1, stream);
  }
  return launch_kernel(reinterpret_cast<const void *>(multiply_across), &p, ceil_div(p.matrix.extent, kVectorColumns),
                       kVectorThreads, 0, 1, stream);
}

// ---- the choice -----------------------------------------------------------------------------------------------------

// An entry of the menu: its launch functions, for operands that may be copied 16 bytes at a time and for others, and
// what the cost model knows of it. A multiprocessor with `blocks` blocks of the entry takes each_tile * blocks + wait
// cycles for a tile of k of all of them.
struct Entry {
  bool swapped;
  int tile_m, tile_n, tile_k, slices, blocks_per_sm, bytes;
  double each_tile, wait;
  cudaError_t (*launch_aligned)(const Problem &, cudaStream_t);
  cudaError_t (*launch_any)(const Problem &, cudaStream_t);
};

template <class T>
constexpr Entry entry(double each_tile, double wait) {
  return {T::kSwapped, T::kTileM, T::kTileN, T::kTileK,     T::kSlices,   T::kBlocksPerSm,
          T::kBytes,   each_tile, wait,      &launch<T, 4>, &launch<T, 1>};
}

//         swapped, Y of a warpgroup, warpgroups along X, Y and k, k, stages, blocks/SM      each_tile wait
const Entry kMenu[] = {
    entry<Tile<false, 64, 1, 1, 1, 32, 3, 2>>(595, 1434),  entry<Tile<true, 64, 1, 1, 1, 32, 3, 2>>(595, 1434),
    entry<Tile<false, 64, 1, 1, 2, 64, 3, 1>>(2133, 1010), entry<Tile<true, 64, 1, 1, 2, 64, 3, 1>>(2133, 1010),
    entry<Tile<false, 32, 1, 1, 1, 32, 3, 3>>(1001, 147),  entry<Tile<true, 32, 1, 1, 1, 32, 3, 3>>(1001, 147),
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
  constexpr double kStart = 4400, kJoinBlocks = 2200, kJoinSlices = 2200;
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

Choice choose(const Problem &p, int sms, int shared_bytes, int max_split) {
  Choice best = {kEntries - 1, 1};
  double least = HUGE_VAL;
  for (int i = 0; i < kEntries; ++i) {
    if (kMenu[i].bytes > shared_bytes) continue;
    for (int split = 1; split <= max_split; ++split) {
      // Of two entries that differ in kSwapped alone, the one whose X is the longer operand streams it.
      const double streamed = kMenu[i].swapped == (p.n >= 4 * p.m) ? 0.98 : 1.0;
      const double time = streamed * cycles(kMenu[i], p, split, sms);
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
  p.a.read_once = p.tiles_n == 1, p.b.read_once = p.tiles_m == 1;
  return aligned ? e.launch_aligned(p, stream) : e.launch_any(p, stream);
}

// Takes a call whose C is a row or a column, if its matrix may be read as the kernels above do.
bool is_vector_call(const pyc_gemm_args *args, VectorProblem &p, bool &along, bool &vectors) {
  if (args->m != 1 && args->n != 1) return false;
  const bool row = args->m == 1;
  const auto *const a = static_cast<const float *>(args->a), *const b = static_cast<const float *>(args->b);
  p.matrix = row ? Operand{b, args->ldb, args->n} : Operand{a, args->lda, args->m};
  p.vector = row ? a : b;
  p.vector_step = row ? (kAlongA ? 1 : args->lda) : (kAlongB ? 1 : args->ldb);
  p.c = static_cast<float *>(args->c), p.c_step = row ? 1 : args->ldc;
  p.k = args->k, p.alpha = args->alpha, p.beta = args->beta;
  along = row ? kAlongB : kAlongA;
  const bool matrix_fits = vectors_fit(p.matrix.data, p.matrix.ld, along ? 4 : p.matrix.extent);
  vectors = matrix_fits && p.vector_step == 1 && reinterpret_cast<uintptr_t>(p.vector) % 16 == 0;
  return along || matrix_fits;
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

cudaError_t launch_best(const pyc_gemm_args *args, cudaStream_t stream) {
  int device = 0, sms = 0, major = 0, shared_bytes = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error != cudaSuccess) return error;
  const int max_split = major >= 9 && sms >= 2 * kMaxSplit ? kMaxSplit : 1;

  VectorProblem vector = {};
  bool along = false, vectors = false;
  if (is_vector_call(args, vector, along, vectors)) return launch_vector(vector, along, vectors, stream);
  Problem p = problem_of(args);
  const bool aligned =
      vectors_fit(p.a.data, p.a.ld, kAlongA ? p.k : p.m) && vectors_fit(p.b.data, p.b.ld, kAlongB ? p.k : p.n);
  return launch_entry(p, aligned, choose(p, sms, shared_bytes, max_split), stream);
}

}  // namespace

PYC_KERNEL pyc_status pyc_gemm_tf32x3_square_nt_v1(const pyc_gemm_args *args, void *stream) {
  if (!is_valid(args)) return PYC_STATUS_INVALID_VALUE;
  constexpr int64_t kSmallestTile = 32, kMaxBlocks = INT32_MAX / kMaxSplit;  // of a one-dimensional grid
  constexpr int64_t kMaxK = INT32_MAX / 2;                                   // copies count k in 32 bits
  if (args->k > kMaxK || (args->m - 1) / kSmallestTile + 1 > kMaxBlocks / ((args->n - 1) / kSmallestTile + 1))
    return PYC_STATUS_UNSUPPORTED;

  if (launch_best(args, static_cast<cudaStream_t>(stream)) == cudaSuccess) return PYC_STATUS_SUCCESS;
  cudaGetLastError();  // the status tells it; the next caller's check should not find it again
  return PYC_STATUS_DEVICE_ERROR;
}
