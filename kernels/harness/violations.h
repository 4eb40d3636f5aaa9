// Calls that break a kernel's `requires` in exactly one way. A kernel must answer each with PYC_STATUS_UNSUPPORTED.
#ifndef PYC_HARNESS_VIOLATIONS_H
#define PYC_HARNESS_VIOLATIONS_H

#include <string>
#include <vector>

#include "element.h"
#include "pyc/kernel.h"
#include "request.h"

namespace pyc::harness {

struct Violation {
  std::string what;  // "m = 1023 is not a multiple of 4"
  pyc_gemm_args args;
};

// Of each part of `requires` that says anything, made from a call that keeps it: one that misses it by the least, and
// where half of it says anything, one that keeps half. A shape that breaks it by itself is the only one. Extents
// shrink, and leading dimensions grow by no more than a padded one does, so that the operands of `args` stay large
// enough.
std::vector<Violation> violations_of(const Requires &requires_, DType dtype, const pyc_gemm_args &args);

}  // namespace pyc::harness

#endif
