// The checks of a call's arguments, before anything else looks at them.
#pragma once

#include "pyc/gemm.h"

namespace pyc::runtime {

// Copies a descriptor of any version into *desc, with the defaults for fields that its version lacks, and one product
// or none without strides. INVALID_VALUE with a detail that names the field, its value and what was expected.
pyc_status check_descriptor(const pyc_gemm_desc *given, pyc_gemm_desc *desc);

// The matrices of a call with a checked descriptor. A and B may be NULL where they are not read, C where it has no
// element. INVALID_VALUE, or MISALIGNED for an address that is no multiple of an element's size.
pyc_status check_matrices(const pyc_gemm_desc &desc, float alpha, const void *a, const void *b, const void *c);

// NULL gives the defaults. INVALID_VALUE as above.
pyc_status check_plan_options(const pyc_gemm_plan_options *given, const pyc_gemm_desc &desc,
                              pyc_gemm_plan_options *options);

}  // namespace pyc::runtime
