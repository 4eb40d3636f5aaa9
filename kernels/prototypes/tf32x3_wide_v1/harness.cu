// The candidate's own executable: the checking and measuring engine, given this one kernel.
// docs/reference/harness-protocol.md says what it understands.
#include "harness.h"

PYC_KERNEL pyc_status pyc_gemm_tf32x3_wide_v1(const pyc_gemm_args *args, void *stream);

int main(int argc, char **argv) {
  return pyc::harness::run(argc, argv, {"pyc_gemm_tf32x3_wide_v1", &pyc_gemm_tf32x3_wide_v1, nullptr});
}
