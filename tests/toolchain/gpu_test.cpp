#include "toolchain/gpu.h"

#include <gtest/gtest.h>

#include "tests/toolchain/fake_machine.h"

namespace {

using namespace pyc::toolchain;
using pyc::ErrorKind;
using pyc::test::contains;
using pyc::test::FakeMachine;

constexpr char kTwoH200[] =
    "0, NVIDIA H200, GPU-aa11, 9.0, 580.65.06, 143771, 700.00, Enabled, Disabled\n"
    "1, NVIDIA H200, GPU-ab22, 9.0, 580.65.06, 143771, 700.00, Enabled, Disabled";

pyc::Error error_of(const FakeMachine &machine) {
  const auto gpus = query_gpus(machine.environment);
  EXPECT_FALSE(gpus);
  if (gpus) return {};
  EXPECT_EQ(gpus.error().kind, ErrorKind::kUnavailable);
  EXPECT_FALSE(gpus.error().hint.empty());
  return gpus.error();
}

TEST(QueryGpus, AsksForTheColumnsThatItReads) {
  FakeMachine machine;
  machine.program("bin/nvidia-smi",
                  "[ \"$LC_ALL\" = C ] || exit 1\necho \"$@\" > $0.arguments\n" + pyc::test::print(kTwoH200));
  EXPECT_EQ(query_gpus(machine.environment)->size(), 2u);
  EXPECT_EQ(pyc::test::slurp(machine.folder / "bin/nvidia-smi.arguments"),
            "--query-gpu=index,name,uuid,compute_cap,driver_version,memory.total,power.limit,ecc.mode.current,"
            "mig.mode.current --format=csv,noheader,nounits\n");
}

TEST(QueryGpus, WithoutNvidiaSmiThePathIsNamed) {
  FakeMachine machine;
  machine.environment.path = "/nonexistent";
  EXPECT_TRUE(contains(error_of(machine).message, "/nonexistent"));
}

TEST(QueryGpus, NoDevicesIsUnavailable) {
  FakeMachine machine;
  machine.nvidia_smi("No devices were found");
  EXPECT_TRUE(contains(error_of(machine).message, "no GPU"));
  machine.nvidia_smi("No devices were found", 6);
  EXPECT_TRUE(contains(error_of(machine).message, "No devices were found"));
}

TEST(QueryGpus, AMismatchOfDriverAndLibraryIsToldThoughItStandsOnStdout) {
  FakeMachine machine;
  machine.nvidia_smi("Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.65", 18);
  const auto error = error_of(machine);
  EXPECT_TRUE(contains(error.message, "exit code 18")) << error.message;
  EXPECT_TRUE(contains(error.message, "Driver/library version mismatch")) << error.message;
  EXPECT_TRUE(contains(error.hint, "reboot")) << error.hint;
}

TEST(QueryGpus, EachWayToFailHasItsRemedy) {
  const std::vector<std::pair<std::string, std::string>> failures = {
      {"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", "modprobe"},
      {"Failed to initialize NVML: Unknown Error", "container"},
      {"Failed to initialize NVML: Insufficient Permissions", "/dev/nvidia"},
      {"Unable to determine the device handle for GPU0000:03:00.0: GPU is lost.", "reboot"},
      {"Field \"compute_cap\" is not a valid field to query.", "update"}};
  for (const auto &[words, remedy] : failures) {
    FakeMachine machine;
    machine.nvidia_smi(words, 9);
    EXPECT_TRUE(contains(error_of(machine).hint, remedy)) << words << ": " << error_of(machine).hint;
  }
}

TEST(QueryGpus, AnAnswerThatCannotBeReadIsUnavailableAndNamesTheLine) {
  FakeMachine machine;
  machine.nvidia_smi("0, NVIDIA H200, GPU-1, 9.0\n");
  EXPECT_TRUE(contains(error_of(machine).message, "line 1"));
}

TEST(QueryGpus, HidingEveryGpuIsToldApartFromHavingNone) {
  FakeMachine machine;
  machine.nvidia_smi(kTwoH200);
  for (const char *hidden : {"", "-1", "7", "GPU-ff"}) {
    machine.environment.cuda_visible_devices = hidden;
    EXPECT_TRUE(contains(error_of(machine).message, std::string("CUDA_VISIBLE_DEVICES is '") + hidden + "'"));
  }
}

std::vector<int> visible(const std::string &variable, const std::string &csv = kTwoH200) {
  std::vector<int> indices;
  for (const GpuInfo &gpu : visible_gpus(parse_gpu_csv(csv).value(), variable)) indices.push_back(gpu.index);
  return indices;
}

using Indices = std::vector<int>;

TEST(VisibleGpus, AreAllWithoutTheVariable) {
  EXPECT_EQ(visible_gpus(parse_gpu_csv(kTwoH200).value(), std::nullopt).size(), 2u);
}

TEST(VisibleGpus, FollowTheOrderOfTheVariable) {
  EXPECT_EQ(visible("1"), Indices{1});
  EXPECT_EQ(visible("1,0"), (Indices{1, 0}));
  EXPECT_EQ(visible("GPU-ab22, 0"), (Indices{1, 0}));
}

TEST(VisibleGpus, AShortUuidIsEnoughIfOnlyOneBeginsSo) {
  EXPECT_EQ(visible("GPU-ab"), Indices{1});
  EXPECT_EQ(visible("GPU-a"), Indices{});
}

TEST(VisibleGpus, EndAtTheFirstThatNamesNone) {
  EXPECT_EQ(visible("1,foo,0"), Indices{1});
  EXPECT_EQ(visible("0,-1,1"), Indices{0});
  EXPECT_EQ(visible("0,0"), Indices{0});
  EXPECT_EQ(visible("99999999999999999999"), Indices{});
}

TEST(VisibleGpus, AreAllWhereItCannotBeTold) {
  EXPECT_EQ(visible("MIG-4f0d6d3a"), (Indices{0, 1}));
  const std::string mixed = "0, NVIDIA L4, GPU-1, 8.9, 1, 1, 1, , \n1, NVIDIA H200, GPU-2, 9.0, 1, 1, 1, , ";
  EXPECT_EQ(visible("0", mixed), (Indices{0, 1})) << "CUDA counts the fastest first, nvidia-smi by bus";
  EXPECT_EQ(visible("GPU-2", mixed), Indices{1});
}

}  // namespace
