#include "toolchain/doctor.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>

#include "tests/toolchain/fake_machine.h"

namespace {

using namespace pyc::toolchain;
using pyc::test::contains;
using pyc::test::FakeMachine;
using pyc::test::print;

constexpr char kArches[] = "compute_89\ncompute_90";
constexpr char kH200[] = "0, NVIDIA H200, GPU-1, 9.0, 580.65.06, 143771, 700.00, Enabled, Disabled";

// A machine that has everything.
class Doctor : public testing::Test {
 protected:
  Doctor() {
    machine.nvcc("cuda/bin/nvcc", "13.0", "13.0.88", kArches);
    machine.environment.cuda_home = (machine.folder / "cuda").string();
    machine.folder.write("cuda/include/crt/host_config.h",
                         "#error -- unsupported GNU version! gcc versions later than 15 are not supported!");
    machine.program("bin/g++", "echo 12.2.0");
    machine.nvidia_smi(kH200);
    machine.program("cuda/bin/ncu",
                    print("NVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2025.3.0.0 (build 1)"));
    machine.program("cuda/bin/compute-sanitizer", print("NVIDIA (R) Compute Sanitizer\nVersion 2025.3.0"));
    machine.folder.write("cutlass/include/cutlass/version.h", "#define CUTLASS_MAJOR 4\n#define CUTLASS_MINOR 2\n");
    machine.environment.cutlass_path = (machine.folder / "cutlass").string();
  }

  DoctorCheck check(const std::string &name) const {
    for (const DoctorCheck &found : examine_machine({}, machine.environment))
      if (found.name == name) return found;
    ADD_FAILURE() << "no check " << name;
    return {};
  }

  FakeMachine machine;
};

TEST_F(Doctor, ChecksEachPartOnceInAFixedOrder) {
  std::vector<std::string> names;
  for (const DoctorCheck &found : examine_machine({}, machine.environment)) names.push_back(found.name);
  EXPECT_EQ(names, (std::vector<std::string>{"nvcc", "host compiler", "gpu", "driver", "ncu", "compute-sanitizer",
                                             "cutlass", "blas"}));
}

TEST_F(Doctor, FindsNothingMissingOnAWholeMachine) {
  for (const DoctorCheck &found : examine_machine({}, machine.environment)) {
    if (found.name == "blas") continue;  // whatever this machine's loader has
    EXPECT_EQ(found.status, CheckStatus::kOk) << found.name << ": " << found.finding;
    EXPECT_TRUE(found.hint.empty()) << found.hint;
  }
  EXPECT_TRUE(contains(check("nvcc").finding, "13.0.88")) << check("nvcc").finding;
  EXPECT_TRUE(contains(check("nvcc").finding, "sm89, sm90")) << check("nvcc").finding;
  EXPECT_TRUE(contains(check("gpu").finding, "NVIDIA H200 (9.0, 140.4 GiB, sm90)")) << check("gpu").finding;
  EXPECT_TRUE(contains(check("ncu").finding, "2025.3.0.0")) << check("ncu").finding;
  EXPECT_TRUE(contains(check("cutlass").finding, "4.2")) << check("cutlass").finding;
}

TEST_F(Doctor, EveryMissingPartComesWithARemedy) {
  FakeMachine bare;
  bare.environment.path = "/nonexistent";
  for (const DoctorCheck &found : examine_machine({}, bare.environment)) {
    if (found.name == "blas" || found.name == "cutlass") continue;
    EXPECT_EQ(found.status, CheckStatus::kMissing) << found.name;
    EXPECT_FALSE(found.hint.empty()) << found.name;
    EXPECT_FALSE(found.finding.empty()) << found.name;
    const bool optional = found.name == "ncu" || found.name == "compute-sanitizer";
    EXPECT_EQ(found.required, !optional) << found.name;
  }
}

TEST_F(Doctor, ProbesRunAtTheSameTime) {
  for (const char *name : {"bin/nvidia-smi", "cuda/bin/ncu", "cuda/bin/compute-sanitizer"}) {
    machine.program(name, "sleep 0.5; exit 1");
  }
  const auto begin = std::chrono::steady_clock::now();
  examine_machine({}, machine.environment);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(1400));
}

TEST_F(Doctor, AGpuOfAnotherArchIsNamedAndNotEnough) {
  machine.nvidia_smi("0, NVIDIA B200, GPU-1, 10.0, 580.65.06, 183359, 1000.00, Enabled, Disabled");
  const auto gpu = check("gpu");
  EXPECT_EQ(gpu.status, CheckStatus::kMissing);
  EXPECT_TRUE(contains(gpu.finding, "NVIDIA B200 (10.0")) << gpu.finding;
  EXPECT_TRUE(contains(gpu.hint, "sm90")) << gpu.hint;
}

TEST_F(Doctor, OnePromotableGpuAmongOthersIsEnough) {
  machine.nvidia_smi(std::string("0, NVIDIA T4, GPU-0, 7.5, 580.65.06, 15360, 70.00, Enabled, [N/A]\n1") + (kH200 + 1));
  EXPECT_EQ(check("gpu").status, CheckStatus::kOk);
  EXPECT_TRUE(contains(check("gpu").finding, "1: NVIDIA H200")) << check("gpu").finding;
}

TEST_F(Doctor, ADriverOlderThanTheToolkitIsToldWithBothVersions) {
  machine.nvidia_smi("0, NVIDIA H200, GPU-1, 9.0, 550.54.15, 143771, 700.00, Enabled, Disabled");
  const auto driver = check("driver");
  EXPECT_EQ(driver.status, CheckStatus::kBroken);
  for (const char *part : {"550.54.15", "13.0.88", "580"})
    EXPECT_TRUE(contains(driver.finding, part)) << driver.finding;
  machine.nvcc("cuda/bin/nvcc", "12.4", "12.4.131", kArches);
  EXPECT_EQ(check("driver").status, CheckStatus::kOk) << "the same driver serves CUDA 12";
}

TEST_F(Doctor, AnUnknownDriverIsAWarning) {
  machine.nvidia_smi("0, NVIDIA H200, GPU-1, 9.0, [N/A], 143771, 700.00, Enabled, Disabled");
  EXPECT_EQ(check("driver").status, CheckStatus::kWarning);
}

TEST_F(Doctor, AHostCompilerNewerThanNvccSupportsIsBroken) {
  machine.program("bin/g++", "echo 16.1.0");
  const auto compiler = check("host compiler");
  EXPECT_EQ(compiler.status, CheckStatus::kBroken);
  EXPECT_TRUE(contains(compiler.finding, "16.1.0")) << compiler.finding;
  EXPECT_TRUE(contains(compiler.hint, "-ccbin g++-15")) << compiler.hint;
  EXPECT_FALSE(contains(compiler.hint, "allow-unsupported")) << compiler.hint;
}

TEST_F(Doctor, ToolsOfTheToolkitAreFoundWithoutPathAndPathComesFirst) {
  EXPECT_TRUE(contains(check("compute-sanitizer").finding, "cuda/bin/compute-sanitizer"));
  machine.program("bin/compute-sanitizer", print("Version 2026.1.0"));
  EXPECT_TRUE(contains(check("compute-sanitizer").finding, "2026.1.0"));
}

TEST_F(Doctor, CutlassIsFoundWhereThePypiPackagePutsIt) {
  machine.folder.write("site/cutlass_library/source/include/cutlass/version.h",
                       "#define CUTLASS_MAJOR 4\n#define CUTLASS_MINOR 3\n");
  machine.environment.cutlass_path = (machine.folder / "site").string();
  EXPECT_TRUE(contains(check("cutlass").finding, "4.3")) << check("cutlass").finding;
}

TEST_F(Doctor, AWrongCutlassPathIsNamed) {
  machine.environment.cutlass_path = "/no/such/cutlass";
  const auto cutlass = check("cutlass");
  EXPECT_EQ(cutlass.status, CheckStatus::kMissing);
  EXPECT_TRUE(contains(cutlass.finding, "/no/such/cutlass")) << cutlass.finding;
  EXPECT_FALSE(cutlass.required);
}

TEST(HostInfo, SaysSomethingAboutEverything) {
  const HostInfo host = host_info();
  EXPECT_FALSE(host.name.empty());
  EXPECT_FALSE(host.operating_system.empty());
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_TRUE(contains(host.kernel, "Linux ")) << host.kernel;
  EXPECT_GE(host.cores, 1);
}

}  // namespace
