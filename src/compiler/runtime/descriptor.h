// The checks of a call's arguments, before anything else looks at them.
#pragma once

#include "pyc/gemm.h"

namespace pyc::runtime {

// SUCCESS, or INVALID_VALUE with a detail that names the argument, its value and what was expected. A and B may be
// NULL where they are not read, C where it has no element.
pyc_status check_arguments(const pyc_gemm_desc *desc, float alpha, const void *a, const void *b, const void *c);

}  // namespace pyc::runtime
