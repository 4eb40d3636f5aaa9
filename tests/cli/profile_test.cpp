#include <filesystem>
#include <gtest/gtest.h>

#include "evidence/documents.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

const std::string kHead =
    "\"ID\",\"Process ID\",\"Kernel "
    "Name\",\"gpu__time_duration.sum\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\","
    "\"launch__occupancy_limit_registers\",\"lts__t_sector_hit_rate.pct\"\n";
const std::string kUnits = "\"\",\"\",\"\",\"ns\",\"%\",\"block\",\"\"\n";

std::string row(const std::string &kernel, const std::string &time) {
  return "\"0\",\"7\",\"" + kernel + "\",\"" + time + "\",\"71.5\",\"2\",\"\"\n";
}

// A scratch workspace with one candidate `x`, and an ncu of the test's own in front of PATH.
class ProfileVerb : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.create("x");
    const std::string checkout = PYC_SOURCE_FOLDER;
    path_ = checkout + "/tests/cli/fake_toolkit/bin:/usr/bin:/bin";
    scratch_.set("PATH", (scratch_ / "own").string() + ":" + path_);
  }
  // An ncu that writes `says` to stdout and then does `ends`.
  void ncu(const std::string &says, const std::string &ends = "exit 0") {
    scratch_.write("own/ncu", "#!/bin/sh\nprintf '%s\\n' \"$LC_ALL $*\" > '" + (scratch_ / "asked").string() +
                                  "'\ncat <<'END'\n" + says + "\nEND\n" + ends + "\n");
    std::filesystem::permissions(scratch_ / "own/ncu", std::filesystem::perms::owner_all);
  }
  Outcome profile(const std::vector<std::string> &more = {}) {
    std::vector<std::string> words = {"hpc", "profile", "--name", "x", "--shape", "64x64x64"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.run(words);
  }
  evidence::Profile read(const Outcome &run) const { return value_of(evidence::read_profile(scratch_ / run.line())); }

  Scratch scratch_;
  std::string path_;
};

TEST_F(ProfileVerb, PrintsTheEvidencePathAndShowsWhatTheGpuDid) {
  ncu("==PROF== Connected to process 7\n" + kHead + kUnits + row("void pyc::harness::fill<float>(float*)", "9") +
      row("gemm(pyc_gemm_args)", "12500") + "==PROF== Disconnected from process 7");
  const Outcome run = profile();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line().rfind("kernels/results/x-profile-", 0), 0u);
  for (const char *part : {"gemm(pyc_gemm_args)", "12.50 us", "71.5 % of peak", "registers: 2 blocks per SM"})
    EXPECT_TRUE(contains(run.errors, part)) << part << "\n" << run.errors;
  EXPECT_TRUE(contains(run.errors, "L2 hit rate     unknown")) << run.errors;
  const evidence::Profile document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kCompleted);
  EXPECT_EQ(document.header.gpu->name, "NVIDIA H200");
  ASSERT_EQ(document.kernels.size(), 1u);
  EXPECT_EQ(document.run.return_code, 0);
  EXPECT_TRUE(contains(document.run.standard_output, "==PROF== Connected"));
}

TEST_F(ProfileVerb, AsksNcuInTheCLocaleForOneLaunchAtOneShape) {
  ncu(kHead + row("gemm", "1"));
  profile();
  const std::string asked = pyc::test::slurp(scratch_ / "asked");
  EXPECT_EQ(asked.rfind("C --csv --page raw", 0), 0u) << asked;
  EXPECT_TRUE(contains(asked, "--clock-control none")) << asked;
  EXPECT_TRUE(contains(asked, "/x --shape 64x64x64 --dtype fp32 --layout nn")) << asked;
}

struct NcuAnswer {
  std::string name, says, ends, error, hint;
  int exit_code;
};
class NcuAnswers : public ProfileVerb, public testing::WithParamInterface<NcuAnswer> {};

TEST_P(NcuAnswers, AreKeptAndExplained) {
  ncu(GetParam().says, GetParam().ends);
  const Outcome run = profile({"--timeout", "20"});
  EXPECT_EQ(run.exit_code, GetParam().exit_code) << run.errors;
  EXPECT_TRUE(contains(run.errors, GetParam().error)) << run.errors;
  EXPECT_TRUE(contains(run.errors, GetParam().hint)) << run.errors;
  const evidence::Profile document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kError);
  EXPECT_TRUE(document.kernels.empty());
  EXPECT_TRUE(contains(document.run.standard_output, GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    ProfileVerb, NcuAnswers,
    testing::Values(
        NcuAnswer{"permission",
                  "==PROF== Connected to process 7\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission",
                  "exit 1", "ERR_NVGPUCTRPERM", "NVreg_RestrictProfilingToAdminUsers=0", 3},
        NcuAnswer{"permission_with_exit_zero", "==ERROR== ERR_NVGPUCTRPERM - no permission", "exit 0",
                  "ERR_NVGPUCTRPERM", "SYS_ADMIN", 3},
        NcuAnswer{"no_kernels", "==WARNING== No kernels were profiled.", "exit 0", "captured no kernel",
                  "CUDA_VISIBLE_DEVICES", 3},
        NcuAnswer{"head_alone", kHead + kUnits, "exit 0", "captured no kernel", "hint", 3},
        NcuAnswer{"harness_kernels_alone", kHead + kUnits + row("pyc::harness::fill(float*)", "1"), "exit 0",
                  "captured no kernel", "hint", 3},
        NcuAnswer{"nothing", "", "exit 0", "captured no kernel", "hint", 3},
        NcuAnswer{"no_driver", "==ERROR== Nsight Compute failed to connect to the CUDA driver", "exit 1",
                  "failed to connect", "doctor", 3},
        NcuAnswer{"driver_not_compatible",
                  "==ERROR== Cuda driver is not compatible with Nsight Compute. Please update the driver.", "exit 1",
                  "driver is not compatible", "doctor", 3},
        NcuAnswer{"counters_in_use",
                  "==PROF== Connected to process 7\n==ERROR== Failed to profile \"gemm\" in process 7\n==ERROR== "
                  "Unknown Error on device 0.",
                  "exit 1", "Failed to profile", "other profilers", 3},
        NcuAnswer{"ended_before_cuda", "==PROF== Target process 7 terminated before first instrumented API call.",
                  "exit 0", "captured no kernel", "CUDA_VISIBLE_DEVICES", 3},
        NcuAnswer{"garbage", "<html>proxy error</html>", "exit 0", "no head", "another version of ncu", 2},
        NcuAnswer{"cut_row", kHead + "\"0\",\"7\"", "exit 0", "has 2 of 7 fields", "evidence keeps", 2},
        NcuAnswer{"two_locales", kHead + row("gemm", "1,5"), "exit 0", "decimal signs", "evidence keeps", 2},
        NcuAnswer{"program_failed", "==ERROR== The application returned an error code (11).", "exit 11", "exit code 11",
                  "validate", 1},
        NcuAnswer{"crash", "==PROF== Connected to process 7", "kill -SEGV $$", "signal 11", "validate", 1}),
    [](const auto &info) { return info.param.name; });

TEST_F(ProfileVerb, ReadsDecimalCommas) {
  ncu(kHead + "\"0\",\"7\",\"gemm\",\"12.500\",\"71,5\",\"2\",\"80,25\"");
  const Outcome run = profile();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(read(run).kernels.at(0).find("gpu__time_duration.sum")->value, 12500.0);
}

// A counter that this GPU or this virtual machine does not have.
TEST_F(ProfileVerb, AMetricThatNcuCouldNotReadIsUnknownAndNotZero) {
  ncu("==WARNING== Unable to access the following 1 metrics: lts__t_sector_hit_rate.pct.\n" + kHead + kUnits +
      "\"0\",\"7\",\"gemm\",\"12500\",\"n/a\",\"2\",\"nan\"");
  const Outcome run = profile();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "compute         unknown of peak")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "L2 hit rate     unknown")) << run.errors;
  EXPECT_FALSE(read(run).kernels.at(0).find("lts__t_sector_hit_rate.pct")->value);
}

TEST_F(ProfileVerb, AHangingProfilerIsStopped) {
  ncu("==PROF== Connected to process 7", "sleep 60");
  const Outcome run = profile({"--timeout", "1"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.errors, "time limit")) << run.errors;
  EXPECT_FALSE(read(run).run.return_code);
}

TEST_F(ProfileVerb, ACommandOfOnesOwnIsExpandedRunWithoutAShellAndKept) {
  const Outcome run =
      profile({"--command", "/bin/echo '$HOME;' {name} {source} {candidate_dir} --app={binary} {binary}"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const evidence::Profile document = read(run);
  ASSERT_EQ(document.run.command.size(), 13u);
  const std::string folder = document.run.command[4], binary = document.run.command[6];
  EXPECT_EQ(document.run.command[1], "$HOME;");
  EXPECT_EQ(document.run.command[2], "x");
  EXPECT_EQ(document.run.command[3], folder + "/kernel.cu");
  EXPECT_EQ(document.run.command[5], "--app=" + binary);
  EXPECT_TRUE(std::filesystem::exists(binary));
  EXPECT_EQ(document.run.command[8], "64x64x64");
  EXPECT_TRUE(contains(document.run.standard_output, "$HOME; x ")) << document.run.standard_output;
  EXPECT_FALSE(document.default_metrics);
}

TEST_F(ProfileVerb, KeepsBothStreamsAndTheReturnCodeOfACommandThatFails) {
  scratch_.write("own/failing", "#!/bin/sh\necho out; echo err >&2; exit 9\n");
  std::filesystem::permissions(scratch_ / "own/failing", std::filesystem::perms::owner_all);
  const Outcome run = profile({"--command", "failing {binary}"});
  EXPECT_EQ(run.exit_code, 1);
  const evidence::Profile document = read(run);
  EXPECT_EQ(document.run.return_code, 9);
  EXPECT_EQ(document.run.standard_output, "out\n");
  EXPECT_EQ(document.run.standard_error, "err\n");
}

TEST_F(ProfileVerb, AnUnknownPlaceholderIsRefusedBeforeAnythingIsCompiled) {
  const Outcome run = profile({"--command", "ncu {binray}"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "'{binray}'")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "did you mean 'binary'?")) << run.errors;
  EXPECT_EQ(scratch_.compilations(), 0);
}

TEST_F(ProfileVerb, AProfilerThatIsNotThereIsExitThreeWithoutEvidence) {
  scratch_.set("PATH", path_);
  if (std::filesystem::exists("/usr/bin/ncu") || std::filesystem::exists("/bin/ncu")) GTEST_SKIP() << "ncu is here";
  const Outcome run = profile();
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "ncu")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "--command")) << run.errors;
  EXPECT_EQ(profile({"--command", "no_such_profiler {binary}"}).exit_code, 3);
  EXPECT_EQ(scratch_.entries("kernels/results"), 0);
}

TEST_F(ProfileVerb, WithoutAGpuItCompilesNothing) {
  scratch_.set("PATH", "/nonexistent");
  const Outcome run = profile();
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(scratch_.compilations(), 0);
}

TEST_F(ProfileVerb, JsonHoldsTheEvidence) {
  ncu(kHead + row("gemm", "1"));
  const Outcome run = profile({"--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "\"evidence_path\": \"kernels/results/x-profile-")) << run.output;
  EXPECT_TRUE(contains(run.output, "\"kind\": \"profile\"")) << run.output;
}

}  // namespace
}  // namespace pyc::cli::test
