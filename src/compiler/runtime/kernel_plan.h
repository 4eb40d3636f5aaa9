// The plan of a kernel that is compiled into this library and implements the kernel ABI: what the promoted and the
// CUTLASS rung share behind their selection.
#pragma once

#include <string>

#include "compiler/runtime/rung.h"
#include "pyc/kernel.h"

namespace pyc::runtime {

// Accepts with a plan that runs `run` for each product of a call, or refuses because the kernel's workspace does not
// fit. `symbol` is a static string, and names the kernel; `workspace` is nullptr if it needs none; `detail` is what an
// explanation says of it.
Decision decide_on_kernel(const char *symbol, pyc_gemm_kernel run, pyc_gemm_workspace_query workspace,
                          const Problem &problem, const std::string &detail);

}  // namespace pyc::runtime
