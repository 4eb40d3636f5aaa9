// Every check that a kernel must pass at a shape, in order. A check is a name and a function that reports under that
// name; docs/validation.md says what each catches and what it cannot.
#ifndef PYC_HARNESS_CHECKS_H
#define PYC_HARNESS_CHECKS_H

#include "request.h"
#include "rig.h"

namespace pyc::harness {

// Runs the checks that apply to the shape and reports each as it ends. Throws Fatal on a CUDA error.
void run_checks(Rig &rig, const Shape &shape, Depth depth);

// The call that stands for the shape, ready to be captured.
pyc_gemm_args ready_call(Rig &rig);

// What the output of one call is: checks_values.cpp.
void check_random(Rig &rig);  // and normwise
void check_exact(Rig &rig);
void check_scalars(Rig &rig);
void check_strides(Rig &rig);
void check_guards(Rig &rig);
void check_beta_zero(Rig &rig);
void check_offsets(Rig &rig);
void check_nan_inf(Rig &rig);
void check_subnormal(Rig &rig);
void check_large(Rig &rig);

// What earlier calls, other streams and graphs change: checks_state.cpp.
void check_repeat(Rig &rig);
void check_state(Rig &rig);
void check_stream(Rig &rig);
void check_streams(Rig &rig);
void check_graph(Rig &rig);

// What a call touches: checks_memory.cpp.
void check_page_ends(Rig &rig);
void check_unsupported(Rig &rig);

}  // namespace pyc::harness

#endif
