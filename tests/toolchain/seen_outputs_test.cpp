// What nvcc, nvidia-smi, ncu and host compilers were seen to say on machines that others reported, and what the doctor
// makes of it. Each row changes one thing on a machine that has everything.
#include <gtest/gtest.h>

#include "tests/toolchain/fake_machine.h"
#include "toolchain/doctor.h"

namespace {

using namespace pyc::toolchain;
using pyc::test::contains;
using pyc::test::FakeMachine;
using pyc::test::nvcc_banner;
using pyc::test::print;

constexpr char kArches[] = "compute_89\ncompute_90";
constexpr char kH200[] = "0, NVIDIA H200, GPU-aa11, 9.0, 580.65.06, 143771, 700.00, Enabled, Disabled";
constexpr char kMig[] =
    "0, NVIDIA H200, GPU-aa11, 9.0, 580.65.06, [Insufficient Permissions], [Insufficient Permissions], Enabled, "
    "Enabled";
constexpr char kSlices[] =
    "GPU 0: NVIDIA H200 (UUID: GPU-aa11)\n"
    "  MIG 1g.18gb     Device  0: (UUID: MIG-11111111-2222-3333-4444-555555555555)\n"
    "  MIG 3g.71gb     Device  1: (UUID: MIG-66666666-7777-8888-9999-000000000000)";

constexpr CheckStatus kOk = CheckStatus::kOk, kWarning = CheckStatus::kWarning, kMissing = CheckStatus::kMissing,
                      kBroken = CheckStatus::kBroken;

struct Seen {
  const char *name;
  std::function<void(FakeMachine &)> change;
  const char *check;
  CheckStatus status;
  const char *finding, *hint;  // parts of both
};

// ---- how a row changes the machine

std::function<void(FakeMachine &)> smi(const std::string &answer, int exit_code = 0) {
  return [=](FakeMachine &machine) { machine.nvidia_smi(answer, exit_code); };
}
std::function<void(FakeMachine &)> smi_and_list(const std::string &rows, const std::string &list,
                                                std::optional<std::string> visible = std::nullopt) {
  return [=](FakeMachine &machine) {
    machine.program("bin/nvidia-smi", "[ \"$1\" = -L ] || {\n" + print(rows) + "\nexit\n}\n" + print(list));
    machine.environment.cuda_visible_devices = visible;
  };
}
std::function<void(FakeMachine &)> visible(const std::string &rows, const std::string &devices) {
  return [=](FakeMachine &machine) {
    machine.nvidia_smi(rows);
    machine.environment.cuda_visible_devices = devices;
  };
}
std::function<void(FakeMachine &)> program(const std::string &name, const std::string &script) {
  return [=](FakeMachine &machine) { machine.program(name, script); };
}
std::function<void(FakeMachine &)> nvcc(const std::string &release, const std::string &version,
                                        const std::string &arches) {
  return [=](FakeMachine &machine) { machine.nvcc("cuda/bin/nvcc", release, version, arches); };
}
std::function<void(FakeMachine &)> capabilities(const std::string &effective, const std::string &parameters) {
  return [=](FakeMachine &machine) {
    machine.folder.write("proc/self/status", "Name:\tpyc\nCapEff:\t" + effective + "\n");
    if (!parameters.empty()) machine.folder.write("proc/driver/nvidia/params", parameters);
  };
}

const std::string kTwo =
    std::string(kH200) + "\n1, NVIDIA H200, GPU-ab22, 9.0, 580.65.06, 143771, 700.00, Enabled, Disabled";

const Seen kSeen[] = {
    // nvidia-smi
    {"unified_memory", smi("0, NVIDIA GB10, GPU-1, 12.1, 580.95.05, [N/A], [N/A], [N/A], [N/A]"), "gpu", kMissing,
     "NVIDIA GB10 (12.1, no arch of PyC)", "sm90"},
    {"capability_with_two_digits", smi("0, NVIDIA B200, GPU-1, 10.0, 580.65.06, 183359, 1000.00, Enabled, Disabled"),
     "gpu", kMissing, "(10.0, 179.1 GiB, no arch of PyC)", "compute capability 9.0"},
    {"capability_not_told", smi("0, NVIDIA H200, GPU-1, [N/A], 580.65.06, 143771, 700.00, Enabled, Disabled"), "gpu",
     kMissing, "NVIDIA H200 (unknown", "need a GPU"},
    {"name_with_comma", smi("0, NVIDIA H200, rev. 2, GPU-aa11, 9.0, 580.65.06, 143771, 700.00, Enabled, Disabled"),
     "gpu", kOk, "NVIDIA H200, rev. 2 (9.0", ""},
    {"several_gpus", smi(kTwo), "gpu", kOk, "1: NVIDIA H200 (9.0, 140.4 GiB, sm90) GPU-ab22", ""},
    {"line_about_an_inforom", smi(std::string(kH200) + "\nWARNING: infoROM is corrupted at gpu 0000:02:00.0"), "gpu",
     kOk, "NVIDIA H200", ""},
    {"carriage_returns", smi(std::string(kH200) + "\r\n"), "gpu", kOk, "NVIDIA H200 (9.0, 140.4 GiB, sm90)", ""},
    {"field_in_trouble",
     smi("0, NVIDIA H200, GPU-aa11, 9.0, 580.65.06, [Unknown Error], [Unknown Error], [N/A], [N/A]"), "gpu", kOk,
     "NVIDIA H200 (9.0, sm90)", ""},
    {"needs_a_reset", smi("0, NVIDIA H200, GPU-aa11, [GPU requires reset], 580.65.06, 143771, 700.00, , "), "gpu",
     kMissing, "unknown", "need a GPU"},
    {"truncated", smi("0, NVIDIA H200, GPU-aa11, 9.0, 580"), "gpu", kMissing, "has 5 of 9 fields", "nvidia-smi"},
    {"driver_mismatch",
     smi("Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.65", 18), "gpu",
     kMissing, "exit code 18", "reboot"},
    {"no_driver",
     smi("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest "
         "NVIDIA driver is installed and running.",
         9),
     "gpu", kMissing, "exit code 9", "modprobe nvidia"},
    {"container_lost_its_devices", smi("Failed to initialize NVML: Unknown Error", 255), "gpu", kMissing,
     "Unknown Error", "restart it"},
    {"no_devices", smi("No devices were found", 6), "gpu", kMissing, "No devices were found", "nvidia-smi"},
    {"fell_off_the_bus",
     smi("Unable to determine the device handle for GPU0000:03:00.0: GPU is lost.  Reboot the system to recover this "
         "GPU",
         15),
     "gpu", kMissing, "GPU is lost", "reboot"},
    {"driver_without_compute_cap", smi("Field \"compute_cap\" is not a valid field to query.", 2), "gpu", kMissing,
     "compute_cap", "update it"},
    {"driver_behind_the_toolkit", smi("0, NVIDIA H200, GPU-1, 9.0, 535.104.05, 143771, 700.00, Enabled, Disabled"),
     "driver", kBroken, "535.104.05 is too old for CUDA 13.0.88", "580"},
    {"driver_not_told", smi("0, NVIDIA H200, GPU-1, 9.0, [N/A], 143771, 700.00, Enabled, Disabled"), "driver", kWarning,
     "does not tell", "run nvidia-smi"},
    // MIG
    {"slices", smi_and_list(kMig, kSlices), "gpu", kWarning, "2 slices: 1g.18gb MIG-11111111", "one slice"},
    {"mig_without_slices", smi_and_list(kMig, "GPU 0: NVIDIA H200 (UUID: GPU-aa11)"), "gpu", kBroken,
     "CUDA sees no device", "nvidia-smi mig -cgi"},
    {"slice_that_exists", smi_and_list(kMig, kSlices, "MIG-66666666-7777-8888-9999-000000000000"), "gpu", kWarning,
     "MIG on", "one slice"},
    {"slice_that_is_gone", smi_and_list(kMig, kSlices, "MIG-deadbeef"), "gpu", kBroken, "no slice has that UUID",
     "nvidia-smi -L"},
    {"first_of_two_slices",
     smi_and_list(kMig, kSlices, "MIG-11111111-2222-3333-4444-555555555555, MIG-66666666-7777-8888-9999-000000000000"),
     "gpu", kWarning, "MIG on", "one slice"},
    {"slice_where_mig_is_off", smi_and_list(kH200, "GPU 0: NVIDIA H200 (UUID: GPU-aa11)", "MIG-deadbeef"), "gpu",
     kBroken, "CUDA sees no device", "nvidia-smi mig"},
    // CUDA_VISIBLE_DEVICES
    {"second_by_index", visible(kTwo, "1"), "gpu", kOk, "1: NVIDIA H200", ""},
    {"by_whole_uuid", visible(kTwo, "GPU-ab22"), "gpu", kOk, "GPU-ab22 [CUDA_VISIBLE_DEVICES 'GPU-ab22']", ""},
    {"by_short_uuid", visible(kTwo, "GPU-aa"), "gpu", kOk, "0: NVIDIA H200", ""},
    {"hidden_by_nothing", visible(kTwo, ""), "gpu", kMissing, "CUDA_VISIBLE_DEVICES is ''", "unset it"},
    {"hidden_by_minus_one", visible(kTwo, "-1"), "gpu", kMissing, "CUDA_VISIBLE_DEVICES is '-1'", "unset it"},
    {"hidden_by_a_word", visible(kTwo, "foo"), "gpu", kMissing, "shows none of this machine's 2 GPUs", "UUID"},
    // nvcc
    {"nvcc_nowhere",
     [](FakeMachine &machine) {
       machine.environment.cuda_home.clear();
       machine.environment.path = (machine.folder / "bin").string();
     },
     "nvcc", kMissing, "looked at CUDA_HOME and CUDA_PATH (not set), PATH", "--nvcc PATH"},
    {"distribution_shadows_the_toolkit",
     [](FakeMachine &machine) {
       machine.environment.cuda_home.clear();
       machine.nvcc("bin/nvcc", "12.0", "12.0.140", kArches);
       machine.nvcc("usr/local/cuda/bin/nvcc", "13.0", "13.0.88", kArches);
     },
     "nvcc", kMissing, "12.0.140", "usr/local/cuda/bin/nvcc"},
    {"nvcc_of_2021", nvcc("11.5", "11.5.119", kArches), "nvcc", kMissing, "too old: 12.4", "--nvcc"},
    {"no_devices_among_the_arches", nvcc("13.0", "13.0.88", "No CUDA devices found."), "nvcc", kMissing,
     "compiles for none", "toolkit that does"},
    {"arches_with_a_wrappers_words", nvcc("13.0", "13.0.88", "ccache: hit\ncompute_75\ncompute_89\ncompute_90a"),
     "nvcc", kOk, "compiles for sm89, sm90", ""},
    {"toolkit_without_hopper", nvcc("12.4", "12.4.131", "compute_75\ncompute_89"), "nvcc", kOk, "compiles for sm89",
     ""},
    {"nvcc_cannot_load",
     program("cuda/bin/nvcc",
             "echo 'nvcc: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.32` not found' >&2; exit 1"),
     "nvcc", kMissing, "GLIBCXX_3.4.32", "--nvcc"},
    {"nvcc_says_something_else", program("cuda/bin/nvcc", print("clang version 17.0.6")), "nvcc", kMissing,
     "clang version 17.0.6", "--nvcc"},
    {"flags_from_outside",
     [](FakeMachine &machine) { machine.environment.nvcc_append_flags = "-use_fast_math -ccbin g++"; }, "nvcc", kBroken,
     "NVCC_APPEND_FLAGS adds '-use_fast_math'", "unset NVCC_APPEND_FLAGS"},
    // host compilers
    {"gcc_newer_than_nvcc", program("bin/g++", "echo 16.1.0"), "host compiler", kBroken, "16.1.0 at",
     "NVCC_PREPEND_FLAGS='-ccbin g++-15'"},
    {"older_gcc_by_prepend_flags",
     [](FakeMachine &machine) {
       machine.program("bin/g++", "echo 16.1.0");
       machine.program("bin/g++-15", "echo 15.2.0");
       machine.environment.nvcc_prepend_flags = "-ccbin g++-15";
     },
     "host compiler", kOk, "g++-15 15.2.0", ""},
    {"older_gcc_by_its_folder",
     [](FakeMachine &machine) {
       machine.program("bin/g++", "echo 16.1.0");
       machine.program("opt/gcc/g++", "echo 13.1.0");
       machine.environment.nvcc_ccbin = (machine.folder / "opt/gcc").string();
     },
     "host compiler", kOk, "13.1.0", ""},
    {"ccbin_that_is_not_there",
     [](FakeMachine &machine) { machine.environment.nvcc_prepend_flags = "--compiler-bindir=/no/such/g++"; },
     "host compiler", kMissing, "not there", "-ccbin"},
    // ncu
    {"ncu_cannot_load",
     program("cuda/bin/ncu", "echo 'ncu: error while loading shared libraries: libnvidia-ml.so.1' >&2; exit 127"),
     "ncu", kMissing, "libnvidia-ml.so.1", "install it again"},
    {"ncu_of_unknown_version", program("cuda/bin/ncu", "true"), "ncu", kOk, "of unknown version", ""},
    {"counters_for_the_administrator_alone",
     capabilities("00000000a80425fb", "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n"), "ncu", kWarning,
     "only an administrator", "--cap-add=SYS_ADMIN"},
    {"administrator", capabilities("000001ffffffffff", "RmProfilingAdminOnly: 1\n"), "ncu", kOk, "may read", ""},
    {"counters_for_everybody", capabilities("0000000000000000", "RmProfilingAdminOnly: 0\n"), "ncu", kOk, "may read",
     ""},
    {"driver_that_does_not_say", capabilities("0000000000000000", ""), "ncu", kOk, "does not say", ""},
};

class SeenOutputs : public testing::TestWithParam<Seen> {
 protected:
  SeenOutputs() {
    machine_.nvcc("cuda/bin/nvcc", "13.0", "13.0.88", kArches);
    machine_.environment.cuda_home = (machine_.folder / "cuda").string();
    machine_.folder.write("cuda/include/crt/host_config.h",
                          "#error -- unsupported GNU version! gcc versions later than 15 are not supported!");
    machine_.program("bin/g++", "echo 12.2.0");
    machine_.nvidia_smi(kH200);
    machine_.program("cuda/bin/ncu", print("Version 2025.3.0.0 (build 1)"));
  }
  FakeMachine machine_;
};

TEST_P(SeenOutputs, AreToldForWhatTheyAre) {
  const Seen &seen = GetParam();
  seen.change(machine_);
  for (const DoctorCheck &check : examine_machine({}, machine_.environment)) {
    if (check.name != seen.check) continue;
    EXPECT_EQ(check.status, seen.status) << check.finding;
    EXPECT_TRUE(contains(check.finding, seen.finding)) << check.finding;
    EXPECT_TRUE(contains(check.hint, seen.hint)) << check.hint;
    EXPECT_EQ(check.hint.empty(), check.status == kOk) << "every failure has a remedy, and nothing else has";
  }
}

INSTANTIATE_TEST_SUITE_P(Doctor, SeenOutputs, testing::ValuesIn(kSeen),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
