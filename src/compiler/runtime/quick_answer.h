// Calls whose answer needs no product.
#pragma once

#include "compiler/runtime/problem.h"

namespace pyc::runtime {

// m, n or batch_count == 0 (nothing to do), k == 0 or alpha == 0 (C := beta * C).
bool needs_no_kernel(const Call &call);

// C has no element.
bool touches_nothing(const Call &call);

// Gives that answer. beta == 0 fills with zeros and never reads C; padding between rows is not touched.
pyc_status answer_without_kernel(const Call &call, bool on_host);

}  // namespace pyc::runtime
