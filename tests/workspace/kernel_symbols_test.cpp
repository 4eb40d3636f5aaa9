#include "workspace/kernel_symbols.h"

#include <gtest/gtest.h>

namespace pyc::workspace {
namespace {

using Refusals = std::vector<std::string>;

Refusals of(std::string_view nm_output) { return refused_symbols(nm_output, "pyc_gemm_x"); }

TEST(KernelSymbols, WhatTheCompilerNeedsForLaunchesIsAllowed) {
  EXPECT_EQ(of("DW.ref.__gxx_personality_v0 V 0 8\n"
               "_Unwind_Resume U         \n"
               "_ZN36_GLOBAL__N__91c5b303_4_a_cu_4e9ca29e11vectors_fitEPKvl T 290 d\n"
               "_ZN3fooILi1EEE9cudaErrorv W 0 7f\n"
               "_ZZ54__device_stub__ZN5cheat13honest_kernelEvE3__f u 0 8\n"
               "__cudaRegisterFatBinary U         \n"
               "cudaFuncSetAttribute U         \n"
               "cudaLaunchKernel U         \n"
               "pyc_gemm_x T 2e0 173\n"
               "pyc_gemm_x_workspace T 500 10\n"),
            Refusals{});
}

TEST(KernelSymbols, WhateverReachesBeyondTheCallIsRefused) {
  for (const char *name : {"cudaStreamCreateWithFlags",
                           "cudaGraphLaunch",
                           "cudaDeviceSetLimit",
                           "cudaDeviceSetCacheConfig",
                           "cudaStreamSetAttribute",
                           "cudaMalloc",
                           "cudaStreamSynchronize",
                           "cudaEventRecord",
                           "cudaStreamIsCapturing",
                           "cublasGemmEx",
                           "cublasLtMatmul",
                           "pthread_create",
                           "_ZNSt6thread6detachEv",
                           "dlopen",
                           "dlsym",
                           "getenv",
                           "fopen",
                           "malloc",
                           "_Znwm",
                           "cudaGetDriverEntryPoint",
                           "syscall"}) {
    EXPECT_EQ(of(std::string(name) + " U         \n"), Refusals{std::string("calls ") + name});
  }
}

TEST(KernelSymbols, WhatTheHarnessCallsMayNotBeDefined) {
  for (const char *line : {"cudaEventElapsedTime T 0 5", "malloc W 0 5", "main T 0 5", "_Znwm T 0 5", "_ZdlPv T 0 5",
                           "_ZN3pyc7harness5judgeEv T 0 5", "_ZN3pyc7harness5judgeEv W 0 5", "_ZSt9terminatev T 0 5",
                           "pyc_gemm_y T 0 5", "environ B 0 8"}) {
    const std::string name = std::string(line).substr(0, std::string(line).find(' '));
    EXPECT_EQ(of(line), Refusals{"defines " + name});
  }
}

TEST(KernelSymbols, InstantiationsOfTheStandardLibraryAreNobodys) {
  EXPECT_EQ(of("_ZSt3minIiERKT_S2_S2_ W 0 1f\n"), Refusals{});
}

TEST(KernelSymbols, AKernelMayChooseItsTilesWithPureArithmetic) {
  for (const char *name : {"fmax", "fminf", "ceil", "sqrt", "log2"}) {
    EXPECT_EQ(of(std::string(name) + " U         \n"), Refusals{});
  }
}

TEST(KernelSymbols, ForeignTextIsMadePrintable) {
  EXPECT_EQ(of("a\x1b[31m U\n").front().find('\x1b'), std::string::npos);
}

TEST(KernelSymbols, AnObjectThatCannotBeReadIsNotAllowed) {
  const Status status = check_symbols("/nonexistent/kernel.o", "kernel.cu", "pyc_gemm_x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kInternal);
}

}  // namespace
}  // namespace pyc::workspace
