// C = A * B in fp32 on the CUDA cores, for Ada (sm_89) and every arch from sm_80 on.
//
// A block of 32 x 8 threads makes a 64 x 64 tile of C in steps of 64 k. Thread (x, y) owns the 8 rows 8y to 8y + 7 and
// the columns 2x and 2x + 1. A warp is one y: its lanes read the same elements of A (a broadcast, 4 k at a time) and 64
// neighbouring elements of B (no bank conflict), so one step of 4 k costs 12 shared loads for 64 multiply-adds.
//
// Two stages of shared memory, 32 KB each: while the block multiplies one, cp.async fills the other. A thread waits for
// its own copies, then the block meets, so that everybody's copies are seen; it meets again before the stage that was
// read is filled anew.
#include "gemm_program.cuh"

namespace {

constexpr int kTileM = 64, kTileN = 64, kTileK = 64;
constexpr int kThreadsX = 32, kThreadsY = 8, kThreads = kThreadsX * kThreadsY;
constexpr int kRows = kTileM / kThreadsY, kColumns = kTileN / kThreadsX;  // of a thread
constexpr int kFloatsA = kTileM * kTileK, kFloatsB = kTileK * kTileN, kFloatsPerStage = kFloatsA + kFloatsB;
constexpr int kSharedBytes = 2 * kFloatsPerStage * sizeof(float);
static_assert(kColumns == 2, "a thread reads its columns of B as one float2");

// ROWS x COLUMNS floats of a matrix with leading dimension ld; units of 4 floats go round the threads.
template <int kTileRows, int kTileColumns>
__device__ void copy_tile(float *shared, const float *global, int ld) {
  constexpr int kUnits = kTileColumns / 4;
  const int thread = threadIdx.y * kThreadsX + threadIdx.x;
#pragma unroll
  for (int unit = thread; unit < kTileRows * kUnits; unit += kThreads) {
    const int row = unit / kUnits, column = unit % kUnits * 4;
    lab::copy_async_16(shared + row * kTileColumns + column, global + int64_t{row} * ld + column);
  }
}

__device__ void copy_stage(float *stage, const lab::Gemm<float> &gemm, int row, int column, int k) {
  copy_tile<kTileM, kTileK>(stage, gemm.a + int64_t{row} * gemm.k + k, gemm.k);
  copy_tile<kTileK, kTileN>(stage + kFloatsA, gemm.b + int64_t{k} * gemm.n + column, gemm.n);
  lab::commit_copies();
}

__device__ void multiply_stage(const float *stage, float (&sum)[kRows][kColumns]) {
  const float *a = stage + threadIdx.y * kRows * kTileK, *b = stage + kFloatsA + threadIdx.x * kColumns;
#pragma unroll 4
  for (int k = 0; k < kTileK; k += 4) {
    float2 right[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) right[i] = *reinterpret_cast<const float2 *>(b + (k + i) * kTileN);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const float4 left = *reinterpret_cast<const float4 *>(a + row * kTileK + k);
      const float factors[4] = {left.x, left.y, left.z, left.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        sum[row][0] = fmaf(factors[i], right[i].x, sum[row][0]);
        sum[row][1] = fmaf(factors[i], right[i].y, sum[row][1]);
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads) multiply(lab::Gemm<float> gemm) {
  extern __shared__ __align__(16) float shared[];
  const int row = blockIdx.y * kTileM, column = blockIdx.x * kTileN, steps = gemm.k / kTileK;
  float sum[kRows][kColumns] = {};
  copy_stage(shared, gemm, row, column, 0);
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) {
      copy_stage(shared + (step + 1) % 2 * kFloatsPerStage, gemm, row, column, (step + 1) * kTileK);
      lab::wait_for_copies<1>();
    } else {
      lab::wait_for_copies<0>();
    }
    __syncthreads();
    multiply_stage(shared + step % 2 * kFloatsPerStage, sum);
    __syncthreads();
  }
  float *c = gemm.c + int64_t{row + static_cast<int>(threadIdx.y) * kRows} * gemm.n + column + threadIdx.x * kColumns;
#pragma unroll
  for (int i = 0; i < kRows; ++i)
    *reinterpret_cast<float2 *>(c + int64_t{i} * gemm.n) = make_float2(sum[i][0], sum[i][1]);
}

void launch(const lab::Gemm<float> &gemm) {
  static const bool allowed = lab::allow_shared_memory(multiply, kSharedBytes);
  (void)allowed;
  multiply<<<dim3(gemm.n / kTileN, gemm.m / kTileM), dim3(kThreadsX, kThreadsY), kSharedBytes>>>(gemm);
}

}  // namespace

int main(int argc, char **argv) {
  return lab::gemm_program<float>({"fp32_async_k64", kTileM, kTileN, kTileK}, argc, argv, launch);
}
