// Calls whose answer needs no product.
#pragma once

#include "compiler/runtime/problem.h"

namespace pyc::runtime {

// m, n or batch_count == 0 (nothing to do), k == 0 or alpha == 0 (C := beta * C).
inline bool needs_no_kernel(const Call &call) {
  const pyc_gemm_args &args = call.args;
  return args.m == 0 || args.n == 0 || args.k == 0 || args.alpha == 0.0f || call.desc.batch_count == 0;
}

// C has no element.
inline bool touches_nothing(const Call &call) {
  return call.args.m == 0 || call.args.n == 0 || call.desc.batch_count == 0;
}

// Gives that answer. beta == 0 fills with zeros and never reads C; padding between rows is not touched.
pyc_status answer_without_kernel(const Call &call, bool on_host);

}  // namespace pyc::runtime
