// C = A * B in fp16, or in bf16 with -DLAB_BF16=1, on the tensor cores, for Ada (sm_89) and every arch from sm_80 on.
// Sums are kept in fp32 and rounded once.
//
// A block of 8 warps makes a 128 x 128 tile of C in steps of 32 k. The warps stand 2 x 4; each makes 64 x 32 of C as 4
// x 4 products of mma.m16n8k16. ldmatrix brings A as it lies (k runs along the rows) and B transposed on the way, which
// is how the instruction wants them.
//
// A row in shared memory is 8 elements longer than the tile, so that the 8 rows of 16 bytes that one ldmatrix reads
// fall into different banks. Two stages: while the block multiplies one, cp.async fills the other.
#include "gemm_program.cuh"

#ifndef LAB_BF16
#define LAB_BF16 0
#endif

namespace {

#if LAB_BF16
using Element = __nv_bfloat16;
constexpr const char *kName = "ada_tensor_core_bf16";
#define LAB_MMA "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#else
using Element = __half;
constexpr const char *kName = "ada_tensor_core_fp16";
#define LAB_MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#endif

constexpr int kTileM = 128, kTileN = 128, kTileK = 32, kPad = 8;
constexpr int kWarpsM = 2, kWarpsN = 4, kThreads = 32 * kWarpsM * kWarpsN;
constexpr int kWarpM = kTileM / kWarpsM, kWarpN = kTileN / kWarpsN;  // of C, for each warp
constexpr int kBlocksM = kWarpM / 16, kBlocksN = kWarpN / 8;         // products of one mma
constexpr int kStrideA = kTileK + kPad, kStrideB = kTileN + kPad;    // elements from row to row
constexpr int kElementsA = kTileM * kStrideA, kElementsPerStage = kElementsA + kTileK * kStrideB;
static_assert(2 * kElementsPerStage * sizeof(Element) <= 48 * 1024, "two stages fit what every kernel may have");

using Sums = float[kBlocksM][kBlocksN][4];

template <int kTileRows, int kTileColumns, int kStride>
__device__ void copy_tile(Element *shared, const Element *global, int ld) {
  constexpr int kUnits = kTileColumns / 8;
#pragma unroll
  for (int unit = threadIdx.x; unit < kTileRows * kUnits; unit += kThreads) {
    const int row = unit / kUnits, column = unit % kUnits * 8;
    lab::copy_async_16(shared + row * kStride + column, global + int64_t{row} * ld + column);
  }
}

__device__ void copy_stage(Element *stage, const lab::Gemm<Element> &gemm, int row, int column, int k) {
  copy_tile<kTileM, kTileK, kStrideA>(stage, gemm.a + int64_t{row} * gemm.k + k, gemm.k);
  copy_tile<kTileK, kTileN, kStrideB>(stage + kElementsA, gemm.b + int64_t{k} * gemm.n + column, gemm.n);
  lab::commit_copies();
}

// Four 8 x 8 matrices; lane l names row l % 8 of matrix l / 8.
__device__ void load_matrices(uint32_t (&words)[4], const Element *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(lab::shared_address(row)));
}
__device__ void load_matrices_transposed(uint32_t (&words)[4], const Element *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(lab::shared_address(row)));
}

__device__ void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(LAB_MMA " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ void multiply_stage(const Element *stage, int warp_row, int warp_column, Sums &sums) {
  const int lane = threadIdx.x % 32, row16 = lane % 16, half8 = lane / 16 * 8;
#pragma unroll
  for (int k = 0; k < kTileK; k += 16) {
    uint32_t a[kBlocksM][4], b[kBlocksN / 2][4];
#pragma unroll
    for (int i = 0; i < kBlocksM; ++i) load_matrices(a[i], stage + (warp_row + i * 16 + row16) * kStrideA + k + half8);
      // Of B one load serves two neighbouring products: words 0 and 1 the left one, 2 and 3 the right one.
#pragma unroll
    for (int j = 0; j < kBlocksN / 2; ++j)
      load_matrices_transposed(b[j], stage + kElementsA + (k + row16) * kStrideB + warp_column + j * 16 + half8);
#pragma unroll
    for (int i = 0; i < kBlocksM; ++i) {
#pragma unroll
      for (int j = 0; j < kBlocksN; ++j) multiply_add(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
  }
}

__device__ void store_pair(Element *c, float left, float right) {
  c[0] = Element(left);
  c[1] = Element(right);
}

// Lane 4g + t holds the columns 2t and 2t + 1 of the rows g and g + 8 of each 16 x 8 product.
__device__ void store(const lab::Gemm<Element> &gemm, int row, int column, const Sums &sums) {
  const int group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < kBlocksM; ++i) {
#pragma unroll
    for (int j = 0; j < kBlocksN; ++j) {
      Element *c = gemm.c + int64_t{row + i * 16 + group} * gemm.n + column + j * 8 + pair;
      store_pair(c, sums[i][j][0], sums[i][j][1]);
      store_pair(c + int64_t{8} * gemm.n, sums[i][j][2], sums[i][j][3]);
    }
  }
}

__global__ void __launch_bounds__(kThreads) multiply(lab::Gemm<Element> gemm) {
  __shared__ __align__(16) Element shared[2 * kElementsPerStage];
  const int row = blockIdx.y * kTileM, column = blockIdx.x * kTileN, steps = gemm.k / kTileK;
  const int warp = threadIdx.x / 32, warp_row = warp / kWarpsN * kWarpM, warp_column = warp % kWarpsN * kWarpN;
  Sums sums = {};
  copy_stage(shared, gemm, row, column, 0);
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) {
      copy_stage(shared + (step + 1) % 2 * kElementsPerStage, gemm, row, column, (step + 1) * kTileK);
      lab::wait_for_copies<1>();
    } else {
      lab::wait_for_copies<0>();
    }
    __syncthreads();
    multiply_stage(shared + step % 2 * kElementsPerStage, warp_row, warp_column, sums);
    __syncthreads();
  }
  store(gemm, row + warp_row, column + warp_column, sums);
}

void launch(const lab::Gemm<Element> &gemm) { multiply<<<dim3(gemm.n / kTileN, gemm.m / kTileM), kThreads>>>(gemm); }

}  // namespace

int main(int argc, char **argv) {
  return lab::gemm_program<Element>({kName, kTileM, kTileN, kTileK}, argc, argv, launch);
}
