// The executable around any kernel of this folder; -DSYMBOL names it, -DWITH_WORKSPACE=1 says that it wants a
// workspace.
#include "harness.h"

#ifndef SYMBOL
#define SYMBOL pyc_gemm_adversarial
#endif
#ifndef WITH_WORKSPACE
#define WITH_WORKSPACE 0
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

PYC_KERNEL pyc_status SYMBOL(const pyc_gemm_args *args, void *stream);
#if WITH_WORKSPACE
PYC_KERNEL size_t JOIN(SYMBOL, _workspace)(const pyc_gemm_args *args);
constexpr pyc_gemm_workspace_query kWorkspace = &JOIN(SYMBOL, _workspace);
#else
constexpr pyc_gemm_workspace_query kWorkspace = nullptr;
#endif

int main(int argc, char **argv) { return pyc::harness::run(argc, argv, {TEXT(SYMBOL), &SYMBOL, kWorkspace}); }
