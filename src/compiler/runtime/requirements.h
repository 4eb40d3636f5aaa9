// `requires` of a compiled-in kernel against a problem: one predicate for promoted kernels and the CUTLASS set.
#pragma once

#include <string>

#include "compiler/cutlass_kernels/promoted_kernel.h"
#include "compiler/runtime/problem.h"

namespace pyc::runtime {

// Why a kernel does not admit a problem, with the observed value against the limit; NONE if it does.
struct Objection {
  pyc_reason reason = PYC_REASON_NONE;
  std::string detail;
};

Objection check_requirements(const KernelRequirements &requirements, const Problem &problem);

// "sm90" for 90.
std::string arch_name(int arch);

}  // namespace pyc::runtime
