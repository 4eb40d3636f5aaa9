// C := beta * C on the device, for calls whose product vanishes.
#pragma once

#include <cstdint>

namespace pyc::runtime {

// Enqueues the scaling of `batch_count` m x n row-major matrices, `stride_c` elements apart from `c` on, on `stream` of
// the current device. `dtype` is a pyc_dtype. beta == 0 writes zeros without reading; padding between rows is not
// touched. Returns a cudaError_t.
int launch_scale(int32_t dtype, void *c, int64_t m, int64_t n, int64_t ldc, int64_t batch_count, int64_t stride_c,
                 float beta, void *stream);

}  // namespace pyc::runtime
