// C := beta * C on the device, for calls whose product vanishes.
#pragma once

#include <cstdint>

namespace pyc::runtime {

// Enqueues the scaling of the m x n row-major matrix `c` on `stream` of the current device. `dtype` is a pyc_dtype.
// beta == 0 writes zeros without reading c; padding between rows is not touched. Returns a cudaError_t.
int launch_scale(int32_t dtype, void *c, int64_t m, int64_t n, int64_t ldc, float beta, void *stream);

}  // namespace pyc::runtime
