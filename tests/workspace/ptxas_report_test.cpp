#include "workspace/ptxas_report.h"

#include <gtest/gtest.h>

namespace pyc::workspace {
namespace {

TEST(PtxasReport, TakesTheLargestFigureOfAllKernels) {
  const PtxasReport report = read_ptxas_report(R"($ nvcc -c kernel.cu
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z4gemmILi1EEv' for 'sm_90a'
ptxas info    : Function properties for _Z4gemmILi1EEv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 243 registers, used 1 barriers, 1024 bytes smem, 512 bytes cmem[0]
ptxas info    : Compiling entry function '_Z4gemmILi4EEv' for 'sm_90a'
    24 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 221 registers, used 1 barriers
)");
  EXPECT_EQ(report.kernels, 2);
  EXPECT_EQ(report.registers_per_thread, 243);
  EXPECT_EQ(report.spill_bytes, 16);
  EXPECT_EQ(report.stack_bytes, 24);
  EXPECT_EQ(report.static_shared_bytes, 1024);
}

TEST(PtxasReport, IsEmptyForWordsThatAreNone) {
  const PtxasReport report = read_ptxas_report("Used many registers, bytes smem\n99999999999999999999 bytes smem");
  EXPECT_EQ(report.kernels, 0);
  EXPECT_EQ(report.registers_per_thread, 0);
  EXPECT_EQ(report.static_shared_bytes, 0);
}

}  // namespace
}  // namespace pyc::workspace
