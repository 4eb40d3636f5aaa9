/* What a candidate's harness.cu includes: its kernel goes in, a process that speaks the harness protocol comes out.
 *
 *     extern "C" pyc_status pyc_gemm_NAME(const pyc_gemm_args *args, void *stream);
 *     int main(int argc, char **argv) {
 *       return pyc::harness::run(argc, argv, {"pyc_gemm_NAME", pyc_gemm_NAME, nullptr});
 *     }
 *
 * The command line, the request and the events are described in docs/reference/harness-protocol.md. */
#ifndef PYC_HARNESS_HARNESS_H
#define PYC_HARNESS_HARNESS_H

#include "pyc/kernel.h"

namespace pyc::harness {

struct Kernel {
  const char *symbol;
  pyc_gemm_kernel run;
  pyc_gemm_workspace_query workspace;  // null where kernel.json says "workspace": false
};

// The whole program; returns the exit code of the protocol. Throws nothing.
int run(int argc, char **argv, Kernel candidate);

}  // namespace pyc::harness

#endif
