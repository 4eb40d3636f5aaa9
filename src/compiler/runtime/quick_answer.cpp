#include "compiler/runtime/quick_answer.h"

#include <algorithm>

#include "compiler/runtime/device.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

template <typename T>
void fill_zero(const pyc_gemm_args &args) {
  for (int64_t i = 0; i < args.m; ++i) std::fill_n(static_cast<T *>(args.c) + i * args.ldc, args.n, T(0));
}

void scale_fp32(const pyc_gemm_args &args) {
  for (int64_t i = 0; i < args.m; ++i) {
    float *const row = static_cast<float *>(args.c) + i * args.ldc;
    std::transform(row, row + args.n, row, [&](float value) { return args.beta * value; });
  }
}

pyc_status scale_on_host(const Call &call) {
  const bool fp32 = call.desc.dtype == PYC_DTYPE_FP32;
  if (call.args.beta == 0.0f) {
    fp32 ? fill_zero<float>(call.args) : fill_zero<uint16_t>(call.args);  // the bits of +0 in fp16 and bf16
    return PYC_STATUS_SUCCESS;
  }
  if (!fp32) {
    return fail(PYC_STATUS_NO_KERNEL, "scaling C of dtype %s is not served in host memory",
                dtype_name(call.desc.dtype));
  }
  scale_fp32(call.args);
  return PYC_STATUS_SUCCESS;
}

}  // namespace

bool needs_no_kernel(const Call &call) {
  const pyc_gemm_args &args = call.args;
  return args.m == 0 || args.n == 0 || args.k == 0 || args.alpha == 0.0f;
}

pyc_status answer_without_kernel(const Call &call, bool on_host) {
  if (call.args.m == 0 || call.args.n == 0 || call.args.beta == 1.0f) return PYC_STATUS_SUCCESS;
  return on_host ? scale_on_host(call) : scale_on_device(call);
}

}  // namespace pyc::runtime
