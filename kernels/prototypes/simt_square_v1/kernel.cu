// simt_fp32: C[m,n] = alpha * A[m,k] * B[k,n] + beta * C in fp32 on the CUDA cores, all matrices row-major (layout nn).
//
// The tile. One thread block computes a kTileM x kTileN tile of C and walks along k in steps of kTileK. Its warps lie
// in a grid over the tile, the 32 lanes of a warp in a 4 x 8 or 8 x 4 grid over the warp's part. A thread owns kThreadM
// x kThreadN elements, in blocks of up to 4 x 4 that are spread evenly over the warp's part, so that the lanes of one
// shared-memory load or one store of C touch neighbouring 16-byte words.
//
// Who loads what. Every thread copies its share of both operands from global to shared memory with cp.async; nothing
// passes through registers. A stage holds two arrays, A and B.
//
// A has kTileK rows of kTileM + 4 floats, transposed: a thread that needs 4 rows of A at one k reads them with one
// 16-byte load. cp.async transposes 4 bytes at a time: 8 lanes read 8 neighbouring k of a row (one 32-byte sector), and
// the 4 floats of padding put the 8 x 4 writes of a warp into 32 different banks.
//
// B has kTileK rows of kTileN floats, as in memory, copied 16 bytes at a time if the pointer and the leading dimension
// are multiples of 16 bytes (kWidthB == 4), else 4 bytes at a time (kWidthB == 1).
//
// Edges. Past k both operands are zero-filled by cp.async itself (its source size is 0), so a short last tile needs no
// loop of its own. Past n, B is zero-filled in the same way. Past m, the last row of A is copied again: what comes of
// it is never stored.
//
// Stages and barriers. kStages buffers form a ring. While tile t is multiplied, the copies of tile t + kStages - 1 are
// issued in short runs. There is one barrier a tile, before its last k is multiplied. In front of it each thread waits
// for its own copies of tile t + 1, so behind it the whole tile t + 1 is there for everybody; and as each thread's last
// reads of tile t lie in front of it, the buffer of tile t may be overwritten from then on.
//
// Registers. The operands of k + 1 are read from shared memory while those of k are multiplied, also across tiles:
// hence two sets of fragments beside the accumulators.
//
// Order of tiles. Blocks walk down kGroupM rows of tiles before they move one tile to the right: the blocks that run at
// the same time then share rows of A and columns of B in the L2 cache.
#include <cstdint>
#include <cuda_runtime.h>

#include "pyc/kernel.h"

namespace {

constexpr int kTileM = 64;
constexpr int kTileN = 128;
constexpr int kTileK = 16;
constexpr int kThreadM = 8;
constexpr int kThreadN = 8;
constexpr int kStages = 4;
constexpr int kGroupM = 8;
constexpr int kMinBlocksPerSm = 3;

// The block's threads, its warps and the lanes of a warp. Of the two lane grids the one with the squarer part
// reads less.
constexpr int kThreads = (kTileM / kThreadM) * (kTileN / kThreadN);
constexpr bool lanes_fit(int lanes_m) {
  return kTileM % (lanes_m * kThreadM) == 0 && kTileN % (32 / lanes_m * kThreadN) == 0;
}
constexpr bool kTallLanes = lanes_fit(8) && (!lanes_fit(4) || kThreadM <= kThreadN);
constexpr int kLanesM = kTallLanes ? 8 : 4;
constexpr int kLanesN = 32 / kLanesM;
constexpr int kWarpM = kLanesM * kThreadM;
constexpr int kWarpN = kLanesN * kThreadN;
constexpr int kWarpsN = kTileN / kWarpN;

// A thread's elements come in blocks of kBlockM x kBlockN, one block every kSpreadM rows and kSpreadN columns.
constexpr int widest_vector(int count) { return count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1; }
constexpr int kBlockM = widest_vector(kThreadM);
constexpr int kBlockN = widest_vector(kThreadN);
constexpr int kSpreadM = kLanesM * kBlockM;
constexpr int kSpreadN = kLanesN * kBlockN;

// How many cp.async a thread issues in a row. ptxas puts three empty loads in front of each such run on sm_90, so runs
// should not be short; a long one would hold up the loads of fragments behind it.
constexpr int kCopyBurst = 4;

// Shared memory, in floats.
constexpr int kStrideA = kTileM + 4;
constexpr int kStrideB = kTileN;
constexpr int kFloatsA = kTileK * kStrideA;
constexpr int kFloatsPerStage = kFloatsA + kTileK * kStrideB;
constexpr int kSharedBytes = kStages * kFloatsPerStage * static_cast<int>(sizeof(float));

static_assert(kTileM % kThreadM == 0 && kTileN % kThreadN == 0, "the threads' elements must fill the tile");
static_assert(lanes_fit(4) || lanes_fit(8), "warps of 4 x 8 or 8 x 4 threads must fill the tile");
static_assert(kTileM % 4 == 0 && kTileN % 16 == 0 && kTileK % 8 == 0, "copies move 8 k of A and 16 bytes of B");
static_assert(kStages >= 2 && kGroupM >= 1 && kThreads <= 1024, "at least two buffers, at most 1024 threads");

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

struct Problem {
  const float *a, *b;
  float *c;
  int64_t m, n, k, lda, ldb, ldc;
  float alpha, beta;
  uint32_t tiles_m, tiles_n, group_m;
  bool vector_c;  // rows of C may be read and written 16 bytes at a time
};

struct Fragments {
  float a[kThreadM], b[kThreadN];
};
using Accumulators = float[kThreadM][kThreadN];

// ---- copies from global to shared memory ----------------------------------------------------------------------------

// Copies kWidth floats, of which those past `floats` become zero and are not read from global memory.
template <int kWidth>
__device__ void copy_async(float *shared, const float *global, int floats) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  if constexpr (kWidth == 4) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(address), "l"(global), "r"(floats * 4)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 4, %2;" ::"r"(address), "l"(global), "r"(floats * 4)
                 : "memory");
  }
}

__device__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most kPending groups of this thread's copies are under way.
template <int kPending>
__device__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

// This thread's share of the copies of A: one k (and those 8, 16, ... further), every kRowsPerPass-th row.
struct CopyA {
  static constexpr int kRowsPerPass = kThreads / 8;
  static constexpr int kRowPasses = ceil_div(kTileM, kRowsPerPass);
  static constexpr int kPasses = kRowPasses * (kTileK / 8);

  const float *source[kRowPasses];
  int row, k;

  __device__ CopyA(const Problem &p, int64_t first_row) : row(threadIdx.x / 8), k(threadIdx.x % 8) {
#pragma unroll
    for (int i = 0; i < kRowPasses; ++i) {
      const int64_t wanted = first_row + row + i * kRowsPerPass;
      source[i] = p.a + (wanted < p.m ? wanted : p.m - 1) * p.lda + k;
    }
  }

  __device__ void issue(int pass, float *stage, int k_left) const {
    const int i = pass % kRowPasses, step = pass / kRowPasses * 8;
    if (kTileM % kRowsPerPass != 0 && row + i * kRowsPerPass >= kTileM) return;
    copy_async<1>(stage + (k + step) * kStrideA + row + i * kRowsPerPass, source[i] + step, k + step < k_left ? 1 : 0);
  }

  __device__ void advance() {
#pragma unroll
    for (int i = 0; i < kRowPasses; ++i) source[i] += kTileK;
  }
};

// The largest power of two, at most 32, that divides count: how many lanes copy neighbouring words of a row.
constexpr int lanes_along(int count) {
  int lanes = 1;
  while (lanes < 32 && count % (2 * lanes) == 0) lanes *= 2;
  return lanes;
}

// This thread's share of the copies of B: every kRowsPerPass-th row, every kColumnsPerPass-th word of kWidth floats.
template <int kWidth>
struct CopyB {
  static constexpr int kLanes = lanes_along(kTileN / kWidth);
  static constexpr int kColumnsPerPass = kLanes * kWidth;
  static constexpr int kRowsPerPass = kThreads / kLanes;
  static constexpr int kColumnPasses = kTileN / kColumnsPerPass;
  static constexpr int kRowPasses = ceil_div(kTileK, kRowsPerPass);
  static constexpr int kPasses = kColumnPasses * kRowPasses;

  const float *source[kRowPasses];
  int64_t step;  // from a row of this tile to the same row of the next
  int row, column;
  int columns_left;  // of the tile, from this thread's first column on

  __device__ CopyB(const Problem &p, int64_t first_column)
      : step(kTileK * p.ldb), row(threadIdx.x / kLanes), column(threadIdx.x % kLanes * kWidth) {
    const int64_t left = p.n - first_column;
    columns_left = static_cast<int>(left < kTileN ? left : kTileN) - column;
#pragma unroll
    for (int i = 0; i < kRowPasses; ++i) source[i] = p.b + (row + i * kRowsPerPass) * p.ldb + first_column + column;
  }

  __device__ void issue(int pass, float *stage, int k_left) const {
    const int i = pass / kColumnPasses, offset = pass % kColumnPasses * kColumnsPerPass;
    const int to_row = row + i * kRowsPerPass;
    if (kTileK % kRowsPerPass != 0 && to_row >= kTileK) return;
    const int floats = max(0, min(kWidth, columns_left - offset));
    copy_async<kWidth>(stage + kFloatsA + to_row * kStrideB + column + offset, source[i] + offset,
                       to_row < k_left ? floats : 0);
  }

  __device__ void advance() {
#pragma unroll
    for (int i = 0; i < kRowPasses; ++i) source[i] += step;
  }
};

// Both operands' copies of one tile after the other. A tile's copies are issued in kPortions portions.
template <int kWidthB>
struct TileCopies {
  static constexpr int kPasses = CopyA::kPasses + CopyB<kWidthB>::kPasses;
  static constexpr int kMaxPortions = kTileK - 1;  // the barrier stands at the last k
  static constexpr int kPassesPerPortion =
      kPasses <= kCopyBurst * kMaxPortions ? kCopyBurst : ceil_div(kPasses, kMaxPortions);
  static constexpr int kPortions = ceil_div(kPasses, kPassesPerPortion);

  CopyA a;
  CopyB<kWidthB> b;
  int64_t k_left;  // from the tile's first k on; not positive behind the last tile

  __device__ TileCopies(const Problem &p, int64_t first_row, int64_t first_column)
      : a(p, first_row), b(p, first_column), k_left(p.k) {}

  __device__ void issue_portion(int portion, float *stage) const {
    const int rows_left = static_cast<int>(k_left < kTileK ? k_left : kTileK);
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass) {
      if (pass / kPassesPerPortion != portion) continue;
      pass < CopyA::kPasses ? a.issue(pass, stage, rows_left) : b.issue(pass - CopyA::kPasses, stage, rows_left);
    }
  }

  // Closes the tile's group of copies and turns to the next tile.
  __device__ void finish_tile() {
    commit_copies();
    a.advance();
    b.advance();
    k_left -= kTileK;
  }

  __device__ void issue_tile(float *stage) {
#pragma unroll
    for (int portion = 0; portion < kPortions; ++portion) issue_portion(portion, stage);
    finish_tile();
  }
};

// ---- the multiplication ---------------------------------------------------------------------------------------------

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

// `a` and `b`: this thread's first element of each operand in the stage; k: the row of the stage.
__device__ void load_fragments(Fragments &to, const float *a, const float *b, int k) {
#pragma unroll
  for (int i = 0; i < kThreadM; i += kBlockM) load_vector<kBlockM>(to.a + i, a + k * kStrideA + i / kBlockM * kSpreadM);
#pragma unroll
  for (int j = 0; j < kThreadN; j += kBlockN) load_vector<kBlockN>(to.b + j, b + k * kStrideB + j / kBlockN * kSpreadN);
}

// Every second row runs backwards, so that neighbouring instructions share an operand.
__device__ void multiply_add(Accumulators &sum, const Fragments &f) {
#pragma unroll
  for (int i = 0; i < kThreadM; ++i) {
#pragma unroll
    for (int step = 0; step < kThreadN; ++step) {
      const int j = i % 2 == 0 ? step : kThreadN - 1 - step;
      sum[i][j] = fmaf(f.a[i], f.b[j], sum[i][j]);
    }
  }
}

// Where the block's tile lies and, inside of it, this thread's first element.
struct Place {
  int64_t first_row, first_column;  // of the tile
  int row, column;                  // of the thread, from there
};

__device__ Place place_of_thread(const Problem &p) {
  const uint32_t per_group = p.group_m * p.tiles_n;  // at most the number of blocks
  const uint32_t group = blockIdx.x / per_group, in_group = blockIdx.x % per_group;
  const uint32_t rows = min(p.group_m, p.tiles_m - group * p.group_m);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  // Lanes 2 apart share A, lanes 1 apart share B: then the two halves of each half-warp load in one access.
  const int lane_m = lane % 2 + lane / (2 * kLanesN) * 2, lane_n = lane / 2 % kLanesN;
  return {static_cast<int64_t>(group * p.group_m + in_group % rows) * kTileM,
          static_cast<int64_t>(in_group / rows) * kTileN, warp / kWarpsN * kWarpM + lane_m * kBlockM,
          warp % kWarpsN * kWarpN + lane_n * kBlockN};
}

// Multiplies all tiles along k into `sum`.
template <int kWidthB>
__device__ void multiply_tiles(Accumulators &sum, TileCopies<kWidthB> &copies, float *shared, const Place &place) {
#pragma unroll
  for (int stage = 0; stage < kStages - 1; ++stage) copies.issue_tile(shared + stage * kFloatsPerStage);
  wait_for_copies<kStages - 2>();
  __syncthreads();

  const float *const a = shared + place.row, *const b = shared + kFloatsA + place.column;
  int read = 0, write = (kStages - 1) * kFloatsPerStage;  // stages, as offsets
  Fragments fragments[2];
  load_fragments(fragments[0], a, b, 0);
  // The copies run kStages - 1 tiles ahead of the multiplication.
  while (copies.k_left > -(kStages - 1) * kTileK) {
#pragma unroll
    for (int k = 0; k < kTileK; ++k) {
      if (k == kTileK - 1) {
        copies.finish_tile();
        wait_for_copies<kStages - 2>();
        __syncthreads();
        write = read;
        read = read == (kStages - 1) * kFloatsPerStage ? 0 : read + kFloatsPerStage;
      }
      load_fragments(fragments[(k + 1) % 2], a + read, b + read, (k + 1) % kTileK);
      if (k < kTileK - 1) copies.issue_portion(k, shared + write);
      multiply_add(sum, fragments[k % 2]);
    }
  }
  wait_for_copies<0>();
}

// ---- the result -----------------------------------------------------------------------------------------------------

// C = alpha * sum + beta * C for 4 neighbouring elements, 16 bytes at a time.
__device__ void store_vector(const Problem &p, float *c, const float *sum) {
  float4 value = make_float4(p.alpha * sum[0], p.alpha * sum[1], p.alpha * sum[2], p.alpha * sum[3]);
  if (p.beta != 0.0f) {
    const float4 old = *reinterpret_cast<const float4 *>(c);
    value = make_float4(fmaf(p.beta, old.x, value.x), fmaf(p.beta, old.y, value.y), fmaf(p.beta, old.z, value.z),
                        fmaf(p.beta, old.w, value.w));
  }
  *reinterpret_cast<float4 *>(c) = value;
}

// The same for kBlockN neighbouring elements one by one, of which `columns` lie in the matrix.
__device__ void store_elements(const Problem &p, float *c, const float *sum, int64_t columns) {
#pragma unroll
  for (int j = 0; j < kBlockN; ++j) {
    if (j >= columns) continue;
    const float value = p.alpha * sum[j];
    c[j] = p.beta != 0.0f ? fmaf(p.beta, c[j], value) : value;
  }
}

template <bool kVectors>
__device__ void store_tile(const Problem &p, const Accumulators &sum, const Place &place) {
#pragma unroll
  for (int i = 0; i < kThreadM; ++i) {
    const int64_t row = place.first_row + place.row + i / kBlockM * kSpreadM + i % kBlockM;
    if (row >= p.m) continue;
#pragma unroll
    for (int j = 0; j < kThreadN; j += kBlockN) {
      const int64_t column = place.first_column + place.column + j / kBlockN * kSpreadN;
      float *const c = p.c + row * p.ldc + column;
      if constexpr (kVectors) {
        store_vector(p, c, sum[i] + j);
      } else {
        store_elements(p, c, sum[i] + j, p.n - column);
      }
    }
  }
}

template <int kWidthB>
__global__ void __launch_bounds__(kThreads, kMinBlocksPerSm) gemm(const __grid_constant__ Problem p) {
  extern __shared__ __align__(16) float shared[];
  const Place place = place_of_thread(p);
  TileCopies<kWidthB> copies(p, place.first_row, place.first_column);
  Accumulators sum = {};
  multiply_tiles(sum, copies, shared, place);
  if (kBlockN == 4 && p.vector_c && place.first_column + kTileN <= p.n) {
    store_tile<kBlockN == 4>(p, sum, place);
  } else {
    store_tile<false>(p, sum, place);
  }
}

// ---- the launch -----------------------------------------------------------------------------------------------------

bool vectors_fit(const void *pointer, int64_t leading_dimension) {
  return reinterpret_cast<uintptr_t>(pointer) % 16 == 0 && leading_dimension % 4 == 0;
}

bool is_valid(const pyc_gemm_args *args) {
  return args != nullptr && args->struct_size >= sizeof(pyc_gemm_args) && args->m >= 1 && args->n >= 1 &&
         args->k >= 1 && args->lda >= args->k && args->ldb >= args->n && args->ldc >= args->n;
}

// The limit on dynamic shared memory belongs to the current device, so it is raised at each launch that needs it: that
// costs less than a launch, is no stream operation, and leaves nothing for threads or devices to disagree about.
template <int kWidthB>
cudaError_t launch(const Problem &p, uint32_t blocks, cudaStream_t stream) {
  if (kSharedBytes > 48 * 1024) {
    const cudaError_t error =
        cudaFuncSetAttribute(gemm<kWidthB>, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
    if (error != cudaSuccess) return error;
  }
  void *arguments[] = {const_cast<Problem *>(&p)};
  return cudaLaunchKernel(reinterpret_cast<const void *>(gemm<kWidthB>), dim3(blocks), dim3(kThreads), arguments,
                          kSharedBytes, stream);
}

}  // namespace

PYC_KERNEL pyc_status pyc_gemm_simt_square_v1(const pyc_gemm_args *args, void *stream) {
  if (!is_valid(args)) return PYC_STATUS_INVALID_VALUE;
  constexpr int64_t kMaxBlocks = INT32_MAX;  // of a one-dimensional grid
  const int64_t tiles_m = (args->m - 1) / kTileM + 1, tiles_n = (args->n - 1) / kTileN + 1;
  if (tiles_m > kMaxBlocks / tiles_n) return PYC_STATUS_UNSUPPORTED;

  Problem p = {};
  p.a = static_cast<const float *>(args->a);
  p.b = static_cast<const float *>(args->b);
  p.c = static_cast<float *>(args->c);
  p.m = args->m, p.n = args->n, p.k = args->k;
  p.lda = args->lda, p.ldb = args->ldb, p.ldc = args->ldc;
  p.alpha = args->alpha, p.beta = args->beta;
  p.tiles_m = static_cast<uint32_t>(tiles_m), p.tiles_n = static_cast<uint32_t>(tiles_n);
  p.group_m = p.tiles_m < kGroupM ? p.tiles_m : kGroupM;
  p.vector_c = vectors_fit(p.c, p.ldc);

  const auto blocks = static_cast<uint32_t>(tiles_m * tiles_n);
  const auto launch_kernel = vectors_fit(p.b, p.ldb) ? launch<4> : launch<1>;
  if (launch_kernel(p, blocks, static_cast<cudaStream_t>(stream)) == cudaSuccess) return PYC_STATUS_SUCCESS;
  cudaGetLastError();  // the status tells it; the next caller's check should not find it again
  return PYC_STATUS_DEVICE_ERROR;
}
