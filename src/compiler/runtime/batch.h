// A batch as a loop, for kernels that compute one product a launch.
#pragma once

#include "compiler/runtime/errors.h"
#include "compiler/runtime/names.h"
#include "compiler/runtime/problem.h"

namespace pyc::runtime {

// Products of this family fill the device one by one, so that a loop of launches loses nothing to a batched one.
inline bool fills_device(const Problem &problem) { return problem.family == PYC_FAMILY_LARGE_SQUARE; }

// Calls `run_one(const pyc_gemm_args &)`, which returns a pyc_status, for each product of the batch in turn; the first
// status that is not SUCCESS ends the loop. Once something was enqueued UNSUPPORTED would be taken for "nothing was",
// so from the second product on it is a fault of the kernel, and INTERNAL_ERROR.
template <typename RunOne>
pyc_status for_each_product(const Call &call, RunOne run_one) {
  const pyc_gemm_desc &d = call.desc;
  if (d.batch_count == 1) return run_one(call.args);
  const int64_t element = dtype_bytes(d.dtype);
  for (int64_t i = 0; i < d.batch_count; ++i) {
    pyc_gemm_args args = call.args;
    args.a = static_cast<const char *>(args.a) + i * d.stride_a * element;
    args.b = static_cast<const char *>(args.b) + i * d.stride_b * element;
    args.c = static_cast<char *>(args.c) + i * d.stride_c * element;
    const pyc_status status = run_one(args);
    if (status == PYC_STATUS_UNSUPPORTED && i > 0) {
      return fail(PYC_STATUS_INTERNAL_ERROR, "product %lld of the batch was refused after others were enqueued",
                  static_cast<long long>(i));
    }
    if (status != PYC_STATUS_SUCCESS) return status;
  }
  return PYC_STATUS_SUCCESS;
}

}  // namespace pyc::runtime
