// C = A * B in bf16 on the tensor cores through WMMA, for Hopper (sm_90): the portable way, without the instructions
// that only Hopper has, and so a floor for those that use them. Sums are kept in fp32 and rounded once.
//
// A block of 8 warps makes a 128 x 128 tile of C in steps of 32 k. The warps stand 2 x 4; each makes 64 x 32 of C as 4
// x 2 WMMA fragments of 16 x 16.
//
// LAB_STAGES=1, the default: every step loads its tile, waits, and multiplies. With more, cp.async keeps
// LAB_STAGES - 1 tiles under way while one is multiplied; a thread waits for its own copies, then the block meets.
//
// A row in shared memory is 8 elements longer than the tile: fragments are read from rows that begin in different
// banks. Behind the last step each warp passes its fragments through 1 KB of shared memory, where lanes can find the
// elements.
#include <mma.h>

#include "gemm_program.cuh"

#ifndef LAB_STAGES
#define LAB_STAGES 1
#endif

namespace {

namespace wmma = nvcuda::wmma;
using Element = __nv_bfloat16;

constexpr int kStages = LAB_STAGES;
constexpr bool kAsync = kStages > 1;
constexpr const char *kName = kAsync ? "hopper_wmma_bf16_async" : "hopper_wmma_bf16";

constexpr int kTileM = 128, kTileN = 128, kTileK = 32, kPad = 8, kFragment = 16;
constexpr int kWarpsM = 2, kWarpsN = 4, kThreads = 32 * kWarpsM * kWarpsN;
constexpr int kWarpM = kTileM / kWarpsM, kWarpN = kTileN / kWarpsN;  // of C, for each warp
constexpr int kBlocksM = kWarpM / kFragment, kBlocksN = kWarpN / kFragment;
constexpr int kStrideA = kTileK + kPad, kStrideB = kTileN + kPad;  // elements from row to row
constexpr int kElementsA = kTileM * kStrideA, kElementsPerStage = kElementsA + kTileK * kStrideB;
constexpr int kSharedBytes = kStages * kElementsPerStage * static_cast<int>(sizeof(Element));
constexpr int kPassedBytes = kFragment * kFragment * static_cast<int>(sizeof(float));  // of a warp, at the end
static_assert(kStages >= 1, "a tile is read from shared memory");
static_assert(kThreads / 32 * kPassedBytes <= kSharedBytes, "the fragments pass through the stages' memory");

using Sum = wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float>;
using Left = wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, Element, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, Element, wmma::row_major>;

template <int kTileRows, int kTileColumns, int kStride>
__device__ void copy_tile(Element *shared, const Element *global, int ld) {
  constexpr int kUnits = kTileColumns / 8;
#pragma unroll
  for (int unit = threadIdx.x; unit < kTileRows * kUnits; unit += kThreads) {
    Element *to = shared + unit / kUnits * kStride + unit % kUnits * 8;
    const Element *from = global + int64_t{unit / kUnits} * ld + unit % kUnits * 8;
    if constexpr (kAsync) {
      lab::copy_async_16(to, from);
    } else {
      *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
    }
  }
}

// Step `step` into its stage of the ring; beyond the last step only an empty group, so that groups count steps.
__device__ void copy_step(Element *shared, const lab::Gemm<Element> &gemm, int row, int column, int step) {
  if (step * kTileK < gemm.k) {
    Element *stage = shared + step % kStages * kElementsPerStage;
    const int k = step * kTileK;
    copy_tile<kTileM, kTileK, kStrideA>(stage, gemm.a + int64_t{row} * gemm.k + k, gemm.k);
    copy_tile<kTileK, kTileN, kStrideB>(stage + kElementsA, gemm.b + int64_t{k} * gemm.n + column, gemm.n);
  }
  if constexpr (kAsync) lab::commit_copies();
}

__device__ void multiply_stage(const Element *stage, int warp_row, int warp_column, Sum (&sums)[kBlocksM][kBlocksN]) {
#pragma unroll
  for (int k = 0; k < kTileK; k += kFragment) {
    Left left[kBlocksM];
    Right right[kBlocksN];
#pragma unroll
    for (int i = 0; i < kBlocksM; ++i)
      wmma::load_matrix_sync(left[i], stage + (warp_row + i * kFragment) * kStrideA + k, kStrideA);
#pragma unroll
    for (int j = 0; j < kBlocksN; ++j)
      wmma::load_matrix_sync(right[j], stage + kElementsA + k * kStrideB + warp_column + j * kFragment, kStrideB);
#pragma unroll
    for (int i = 0; i < kBlocksM; ++i) {
#pragma unroll
      for (int j = 0; j < kBlocksN; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
  }
}

// One fragment by way of `passed`, which belongs to this warp alone: a lane stores 8 elements of a row.
__device__ void store(Element *c, int ld, const Sum &sum, float *passed) {
  const int lane = threadIdx.x % 32, row = lane / 2, column = lane % 2 * 8;
  wmma::store_matrix_sync(passed, sum, kFragment, wmma::mem_row_major);
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 8; ++i) c[int64_t{row} * ld + column + i] = Element(passed[row * kFragment + column + i]);
  __syncwarp();
}

__global__ void __launch_bounds__(kThreads) multiply(lab::Gemm<Element> gemm) {
  extern __shared__ __align__(128) unsigned char memory[];
  Element *shared = reinterpret_cast<Element *>(memory);
  const int row = blockIdx.y * kTileM, column = blockIdx.x * kTileN, steps = gemm.k / kTileK;
  const int warp = threadIdx.x / 32, warp_row = warp / kWarpsN * kWarpM, warp_column = warp % kWarpsN * kWarpN;
  Sum sums[kBlocksM][kBlocksN];
  for (auto &line : sums)
    for (Sum &sum : line) wmma::fill_fragment(sum, 0.0f);

  for (int step = 0; step < kStages - 1; ++step) copy_step(shared, gemm, row, column, step);
  for (int step = 0; step < steps; ++step) {
    // The stage that this copy fills was multiplied in the step before; the meeting below came after that.
    if constexpr (!kAsync) copy_step(shared, gemm, row, column, step);
    if constexpr (kAsync) lab::wait_for_copies<(kStages > 1 ? kStages - 2 : 0)>();
    __syncthreads();
    if constexpr (kAsync) copy_step(shared, gemm, row, column, step + kStages - 1);
    multiply_stage(shared + step % kStages * kElementsPerStage, warp_row, warp_column, sums);
    if constexpr (!kAsync) __syncthreads();
  }

  lab::wait_for_copies<0>();
  __syncthreads();
  float *passed = reinterpret_cast<float *>(memory + warp * kPassedBytes);
  for (int i = 0; i < kBlocksM; ++i) {
    for (int j = 0; j < kBlocksN; ++j) {
      Element *c = gemm.c + int64_t{row + warp_row + i * kFragment} * gemm.n + column + warp_column + j * kFragment;
      store(c, gemm.n, sums[i][j], passed);
    }
  }
}

void launch(const lab::Gemm<Element> &gemm) {
  static const bool allowed = lab::allow_shared_memory(multiply, kSharedBytes);
  (void)allowed;
  multiply<<<dim3(gemm.n / kTileN, gemm.m / kTileM), kThreads, kSharedBytes>>>(gemm);
}

}  // namespace

int main(int argc, char **argv) {
  return lab::gemm_program<Element>({kName, kTileM, kTileN, kTileK}, argc, argv, launch);
}
