// One thread per element, neighbouring threads on neighbouring columns; the grid strides over columns in x, rows in y
// and matrices in z, so that any sizes fit in a grid of legal size.
#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include "compiler/cutlass_kernels/scale_kernel.h"
#include "pyc/gemm.h"

namespace pyc::runtime {
namespace {

constexpr int kColumnsPerBlock = 256;
constexpr int64_t kMaxBlocksX = 1024, kMaxBlocksY = 16384, kMaxBlocksZ = 1024;

__device__ float to_float(float value) { return value; }
__device__ float to_float(__half value) { return __half2float(value); }
__device__ float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ void store(float *to, float value) { *to = value; }
__device__ void store(__half *to, float value) { *to = __float2half_rn(value); }
__device__ void store(__nv_bfloat16 *to, float value) { *to = __float2bfloat16_rn(value); }

template <typename T>
__global__ void scale(T *c, int64_t m, int64_t n, int64_t ldc, int64_t batch_count, int64_t stride_c, float beta) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t batch = blockIdx.z; batch < batch_count; batch += gridDim.z) {
    for (int64_t i = blockIdx.y; i < m; i += gridDim.y) {
      for (int64_t j = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; j < n; j += step) {
        T *const element = c + batch * stride_c + i * ldc + j;
        store(element, beta == 0.0f ? 0.0f : beta * to_float(*element));
      }
    }
  }
}

template <typename T>
int launch(void *c, int64_t m, int64_t n, int64_t ldc, int64_t batch_count, int64_t stride_c, float beta,
           cudaStream_t stream) {
  const int64_t columns = (n - 1) / kColumnsPerBlock + 1;
  const dim3 grid(unsigned(std::min(columns, kMaxBlocksX)), unsigned(std::min(m, kMaxBlocksY)),
                  unsigned(std::min(batch_count, kMaxBlocksZ)));
  scale<T><<<grid, kColumnsPerBlock, 0, stream>>>(static_cast<T *>(c), m, n, ldc, batch_count, stride_c, beta);
  return cudaGetLastError();
}

}  // namespace

int launch_scale(int32_t dtype, void *c, int64_t m, int64_t n, int64_t ldc, int64_t batch_count, int64_t stride_c,
                 float beta, void *stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  if (dtype == PYC_DTYPE_FP16) return launch<__half>(c, m, n, ldc, batch_count, stride_c, beta, on);
  if (dtype == PYC_DTYPE_BF16) return launch<__nv_bfloat16>(c, m, n, ldc, batch_count, stride_c, beta, on);
  return launch<float>(c, m, n, ldc, batch_count, stride_c, beta, on);
}

}  // namespace pyc::runtime
