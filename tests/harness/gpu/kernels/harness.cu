// The executable around any of the kernels: all of them export one symbol.
#include "harness.h"

extern "C" pyc_status pyc_gemm_honest(const pyc_gemm_args *args, void *stream);

int main(int argc, char **argv) { return pyc::harness::run(argc, argv, {"pyc_gemm_honest", pyc_gemm_honest, nullptr}); }
