#include "toolchain/arch.h"

#include <gtest/gtest.h>
#include <set>

namespace {

using namespace pyc::toolchain;

TEST(Arch, IsFoundByItsNameOnly) {
  ASSERT_TRUE(find_arch("sm90"));
  EXPECT_STREQ(find_arch("sm90")->code_flag, "arch=compute_90a,code=sm_90a");
  for (const char *name : {"", "sm_90", "SM90", "sm9", "sm900", "sm90 ", "native"})
    EXPECT_FALSE(find_arch(name)) << name;
}

TEST(Arch, IsFoundByTheWholeComputeCapability) {
  EXPECT_STREQ(arch_of_compute_capability("9.0")->name, "sm90");
  EXPECT_STREQ(arch_of_compute_capability("8.9")->name, "sm89");
  for (const char *other : {"10.0", "12.0", "8.6", "9", "90", "", "[N/A]", "unknown"}) {
    EXPECT_FALSE(arch_of_compute_capability(other)) << other;
  }
}

TEST(Arch, EveryNameAndCapabilityIsThereOnce) {
  std::set<std::string> names, capabilities;
  for (const Arch &arch : arches()) {
    EXPECT_TRUE(names.insert(arch.name).second);
    EXPECT_TRUE(capabilities.insert(arch.compute_capability).second);
  }
  EXPECT_EQ(arch_names(), std::vector<std::string>(names.begin(), names.end()));
}

TEST(Arch, FlagsNameTheArchitectureThatNvccMustList) {
  for (const Arch &arch : arches()) {
    EXPECT_TRUE(std::string(arch.code_flag).starts_with(std::string("arch=") + arch.nvcc_arch + ",")) << arch.name;
  }
}

TEST(Arch, PeakOfAnH200IsWhatItsDataSheetSays) {
  // 132 SMs at 1980 MHz: 67 TFLOP/s of fp32.
  EXPECT_NEAR(fp32_peak_flops(*find_arch("sm90"), 132, 1980000) * 1e-12, 66.9, 0.1);
}

}  // namespace
