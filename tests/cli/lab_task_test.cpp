// The lab's tasks, from a plan to the next baseline; and the command lines of the documentation, word for word.
#include <filesystem>
#include <gtest/gtest.h>

#include "tests/cli/lab_scratch.h"

namespace pyc::cli::test {
namespace {

class LabTask : public testing::Test {
 protected:
  void SetUp() override { scratch_.write_baselines("slow"); }

  Outcome create(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"task-create", "Square GEMM", "--repeats", "2", "--warmup", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.lab(words);
  }
  std::string task() const { return scratch_.read("kernels/lab/tasks/square-gemm.json"); }
  std::string baselines() const { return scratch_.read("kernels/lab/manifests/task_baselines.json"); }

  LabScratch scratch_;
};

TEST_F(LabTask, CreateWritesThePlanForThisMachine) {
  const Outcome run = create({"--candidate-tag", "demo", "--control-kernel", "fast", "--objective", "be quick",
                              "--target-tflops-min", "1", "--target-tflops-max", "2.5"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line(), "kernels/lab/tasks/square-gemm.json");
  for (const char *part :
       {"\"status\": \"planned\"", "\"arch\": \"sm90\"", "\"name\": \"NVIDIA H200\"", "\"baseline_kernel\": \"slow\"",
        "\"control_kernel\": \"fast\"", "\"objective\": \"be quick\"", "\"target_tflops_max\": 2.5",
        "pyc lab bench slow --phase compile --repeats 1 --warmup 0",
        "pyc lab bench slow --phase run --repeats 2 --warmup 0",
        "pyc lab bench fast --phase run --repeats 2 --warmup 0", "--label square-gemm-candidates --phase run",
        "--tag demo"})
    EXPECT_TRUE(contains(task(), part)) << part << "\n" << task();
}

TEST_F(LabTask, CreateNeverWritesOverATask) {
  ASSERT_EQ(create().exit_code, 0);
  const std::string before = task();
  const Outcome again = create({"--objective", "another"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_TRUE(contains(again.errors, "the task 'Square GEMM' exists already")) << again.errors;
  EXPECT_EQ(task(), before);
}

// "größe" and "grüße" are kept in files of the same name.
TEST_F(LabTask, ANameThatSharesAFileWithAnotherTaskIsNotTakenForIt) {
  ASSERT_EQ(scratch_.lab({"task-create", "größe"}).exit_code, 0);
  const std::string before = scratch_.read("kernels/lab/tasks/gr-e.json"), baselines_before = baselines();
  const Outcome second = scratch_.lab({"task-create", "grüße"});
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_TRUE(contains(second.errors, "'gr-e.json', where the task 'größe' is")) << second.errors;
  for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
           {"task-show", "grüße"}, {"task-run", "gr ? e"}, {"task-complete", "GR E!", "--winner", "fast"}}) {
    const Outcome run = scratch_.lab(words);
    EXPECT_EQ(run.exit_code, 2) << words[1];
    EXPECT_TRUE(contains(run.errors, "no task '" + words[1] + "'")) << run.errors;
  }
  EXPECT_EQ(scratch_.read("kernels/lab/tasks/gr-e.json"), before);
  EXPECT_EQ(baselines(), baselines_before);
  EXPECT_EQ(scratch_.lab({"task-show", "größe"}).exit_code, 0);
  EXPECT_EQ(scratch_.lab({"task-show", "gr-e"}).exit_code, 0);
}

TEST_F(LabTask, LongNamesThatBeginAlikeAreToldApart) {
  const std::string beginning(120, 'a');
  ASSERT_EQ(scratch_.lab({"task-create", beginning + "x"}).exit_code, 0);
  EXPECT_EQ(scratch_.lab({"task-create", beginning + "y"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"task-complete", beginning + "y", "--winner", "fast"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"task-complete", beginning + "x", "--winner", "fast"}).exit_code, 0);
}

TEST_F(LabTask, CreateRefusesWhatCannotBePlanned) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> kMistakes = {
      {{"--baseline", "nobody"}, "'nobody'"},
      {{"--control-kernel", "nobody"}, "'nobody'"},
      {{"--candidate-tag", "nothing"}, "'nothing'"},
      {{"--task-kind", "conv"}, "no baseline of conv/cuda/sm90"},
      {{"--task-kind", "a b"}, "'a b'"},
      {{"--target-tflops-min", "3", "--target-tflops-max", "2"}, "above"},
      {{"--target-tflops-min", "nan"}, "'nan'"}};
  for (const auto &[words, error] : kMistakes) {
    const Outcome run = create(words);
    EXPECT_EQ(run.exit_code, 2) << words.back();
    EXPECT_TRUE(contains(run.errors, error)) << run.errors;
  }
  EXPECT_EQ(scratch_.lab({"task-create", "///"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "kernels/lab/tasks/square-gemm.json"));
}

TEST_F(LabTask, ABaselineThatTheManifestDoesNotHaveIsExitThree) {
  scratch_.write_baselines("nobody");
  EXPECT_EQ(create().exit_code, 3);
}

struct BadBaselines {
  std::string name, text, error;
};
class LabBaselines : public LabTask, public testing::WithParamInterface<BadBaselines> {};

TEST_P(LabBaselines, AreExitThreeWithFileAndField) {
  scratch_.write("kernels/lab/manifests/task_baselines.json", GetParam().text);
  const Outcome run = create();
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "task_baselines.json") && contains(run.errors, GetParam().error)) << run.errors;
}

INSTANTIATE_TEST_SUITE_P(Lab, LabBaselines,
                         testing::Values(BadBaselines{"garbage", "baselines", "parse error"},
                                         BadBaselines{"version", R"({"version": 2, "baselines": []})", "'version'"},
                                         BadBaselines{"missing", R"({"version": 1})", "'baselines'"},
                                         BadBaselines{"type", R"({"version": 1, "baselines": [{"task_kind": 1}]})",
                                                      "baselines[0].task_kind"},
                                         BadBaselines{"twice",
                                                      R"({"version": 1, "baselines": [
      {"task_kind": "gemm", "backend": "cuda", "arch": "sm90", "kernel": "slow"},
      {"task_kind": "gemm", "backend": "cuda", "arch": "sm90", "kernel": "fast"}]})",
                                                      "baselines[1].arch"},
                                         BadBaselines{"unknown", R"({"version": 1, "baselines": [], "note": ""})",
                                                      "unknown field 'note'"}),
                         [](const auto &info) { return info.param.name; });

TEST_F(LabTask, WithoutAGpuTheCandidatesSayWhatTheyAreFor) {
  scratch_.write_lab({{"slow"}, {"one", "\"ada\", \"sm89\""}, {"two", "\"ada\", \"sm89\""}});
  scratch_.write_baselines("slow", "sm89");
  scratch_.set("PATH", "/usr/bin:/bin");
  EXPECT_EQ(create({"--candidate-tag", "ada"}).exit_code, 0);
  EXPECT_TRUE(contains(task(), "\"arch\": \"sm89\"") && contains(task(), "\"arch_source\": \"candidates\"")) << task();
}

TEST_F(LabTask, TheGenericBaselineServesAnArchWithoutOneOfItsOwn) {
  scratch_.write_baselines("fast", "generic");
  EXPECT_EQ(create().exit_code, 0);
  EXPECT_TRUE(contains(task(), "\"baseline_kernel\": \"fast\""));
}

TEST_F(LabTask, HardwareIsTheFirstGpu) {
  const Outcome run = scratch_.lab({"task-hardware"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.output, "NVIDIA H200") && contains(run.output, "sm90")) << run.output;
  scratch_.set("PYC_FAKE_CAPABILITY", "12.0");
  EXPECT_TRUE(contains(scratch_.lab({"task-hardware"}).output, "sm120"));
}

TEST_F(LabTask, ListAndShowTellHowFarATaskHasCome) {
  create();
  EXPECT_TRUE(contains(scratch_.lab({"task-list"}).output, "square-gemm"));
  const Outcome show = scratch_.lab({"task-show", "Square GEMM"});
  EXPECT_EQ(show.exit_code, 0);
  EXPECT_TRUE(contains(show.output, "step 1")) << show.output;
  EXPECT_EQ(scratch_.lab({"task-show", "squaregemm"}).exit_code, 2);
}

TEST_F(LabTask, EveryAnswerInJsonHasAnError) {
  ASSERT_EQ(create({"--candidate-tag", "demo"}).exit_code, 0);
  for (const std::vector<std::string> &verb :
       std::vector<std::vector<std::string>>{{"doctor"},
                                             {"list"},
                                             {"show", "fast"},
                                             {"task-hardware"},
                                             {"task-list"},
                                             {"task-show", "square-gemm"},
                                             {"task-run", "square-gemm", "--dry-run"},
                                             {"task-complete", "square-gemm", "--winner", "fast"}}) {
    std::vector<std::string> words = verb;
    words.emplace_back("--json");
    const Outcome run = scratch_.lab(words);
    EXPECT_EQ(run.exit_code, 0) << verb.front() << run.errors;
    EXPECT_TRUE(contains(run.output, "\"error\": null")) << verb.front() << run.output;
  }
}

TEST_F(LabTask, ABrokenTaskDoesNotHideTheOthers) {
  create();
  scratch_.write("kernels/lab/tasks/aaa.json", R"({"meta": {"name": 3}})");
  const Outcome run = scratch_.lab({"task-list"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.output, "square-gemm") && contains(run.output, "broken")) << run.output;
  EXPECT_TRUE(contains(run.errors, "aaa.json") && contains(run.errors, "meta.name")) << run.errors;
  EXPECT_EQ(scratch_.lab({"task-run", "aaa"}).exit_code, 3);
}

TEST_F(LabTask, RunGoesThroughTheStepsAndKeepsARecord) {
  create({"--candidate-tag", "demo"});
  const Outcome run = scratch_.lab({"task-run", "square-gemm"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line().rfind("kernels/lab/tasks/runs/square-gemm-", 0), 0u) << run.output;
  const std::string record = scratch_.read(run.line());
  EXPECT_TRUE(contains(record, "\"status\": \"ok\"") && contains(record, "\"command_count\": 4")) << record;
  EXPECT_TRUE(contains(record, "\"written_paths\": [\"kernels/lab/results/slow-")) << record;
  EXPECT_TRUE(contains(task(), "\"status\": \"measured\"") && contains(task(), run.line())) << task();
}

TEST_F(LabTask, ADryRunPlansAndRunsNothing) {
  create();
  const std::string before = task();
  const Outcome run = scratch_.lab({"task-run", "square-gemm", "--dry-run"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(scratch_.read(run.line()), "\"status\": \"planned\""));
  EXPECT_EQ(scratch_.entries("kernels/lab/results"), 0);
  EXPECT_EQ(task(), before);
}

std::string protocol(const std::string &steps) {
  return R"({"meta": {"name": "t", "status": "planned", "owner": "somebody"},
 "hardware": {"backend": "cuda", "arch": "sm90", "capacity": {"tier": "large"}},
 "task": {"kind": "gemm", "baseline_kernel": "slow"},
 "benchmark_plan": {"profile_protocol": [)" +
         steps + "]}}";
}

TEST_F(LabTask, ATaskIsFoundByTheNameOfItsFileWhateverThatIs) {
  const std::string file = "kernels/lab/tasks/Ada_SM89 v2.json";
  scratch_.write(file, protocol("\"true\""));
  EXPECT_TRUE(contains(scratch_.lab({"task-list"}).output, "planned"));
  EXPECT_EQ(scratch_.lab({"doctor"}).exit_code, 0);
  EXPECT_EQ(scratch_.lab({"task-run", "Ada_SM89 v2"}).exit_code, 0);
  EXPECT_EQ(scratch_.lab({"task-complete", "Ada_SM89 v2", "--winner", "fast"}).exit_code, 0);
  EXPECT_TRUE(contains(scratch_.read(file), "\"winner_kernel\": \"fast\"")) << scratch_.read(file);
  EXPECT_EQ(scratch_.entries("kernels/lab/tasks"), 3) << "the task, its runs and the lock: no second file";
  EXPECT_EQ(scratch_.lab({"task-create", "Ada_SM89 v2"}).exit_code, 2) << "it could never be found";
}

TEST_F(LabTask, AFolderThatCannotBeListedIsNotAnEmptyOne) {
  scratch_.write("file", "");
  EXPECT_EQ(scratch_.lab({"--task-dir", "absent", "task-list"}).exit_code, 0);
  for (const std::vector<std::string> &words :
       std::vector<std::vector<std::string>>{{"task-list"}, {"task-show", "t"}, {"task-create", "t"}}) {
    std::vector<std::string> line = {"--task-dir", "file"};
    line.insert(line.end(), words.begin(), words.end());
    const Outcome run = scratch_.lab(line);
    EXPECT_EQ(run.exit_code, 2) << words[0];
    EXPECT_TRUE(contains(run.errors, "cannot list")) << run.errors;
  }
  EXPECT_EQ(scratch_.lab({"--task-dir", "file", "doctor"}).exit_code, 2);
}

TEST_F(LabTask, NoWordOfATaskReachesTheTerminalAsACommand) {
  std::string text = protocol("\"true\"");
  text.insert(text.size() - 1, R"(, "last_run": {"status": "\u001b[7m", "run_record": "\u0007"})");
  scratch_.write("kernels/lab/tasks/t.json", text);
  const Outcome run = scratch_.lab({"task-show", "t"});
  EXPECT_TRUE(contains(run.output, "\\x1b[7m")) << run.output;
  EXPECT_EQ(run.output.find('\x1b'), std::string::npos);
}

TEST_F(LabTask, NoNameOfAFolderOrFileReachesTheTerminalAsACommand) {
  const std::string folder = "tasks\x1b[7m";
  ASSERT_EQ(create({"--task-dir", folder}).exit_code, 0);
  scratch_.write(folder + "/broken\x1b[8m.json", "{\"meta\": 3}");
  for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
           {"task-create", "Square GEMM"}, {"task-show", "none"}, {"task-show", "broken\x1b[8m"}}) {
    std::vector<std::string> all = {"--task-dir", folder};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome run = scratch_.lab(all);
    EXPECT_NE(run.exit_code, 0) << run.errors;
    EXPECT_TRUE(contains(run.errors, "tasks\\x1b[7m")) << run.errors;
    EXPECT_EQ(run.errors.find('\x1b'), std::string::npos) << run.errors;
  }
}

TEST_F(LabTask, ACompilerNamedFromAnotherFolderReachesTheSteps) {
  scratch_.write_lab({{"slow", "", "echo best_ms=1\n", "{nvcc} --version", "true"}});
  const std::string nvcc = PYC_SOURCE_FOLDER "/tests/cli/fake_toolkit/bin/nvcc";
  const Outcome run =
      scratch_.shell("mkdir -p sub/tools && ln -s " + nvcc + " sub/tools/nvcc && cd sub && \"$PYC\" lab " +
                     "--nvcc tools/nvcc compile slow && \"$PYC\" lab --nvcc tools/nvcc task-create t " +
                     "--repeats 1 && \"$PYC\" lab task-run t");
  EXPECT_EQ(run.exit_code, 0) << run.output << run.errors;
}

TEST_F(LabTask, AStepThatFailsStopsTheRunUnlessItIsToldToGoOn) {
  scratch_.write("kernels/lab/tasks/t.json", protocol(R"("false", "touch behind")"));
  Outcome run = scratch_.lab({"task-run", "t"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_TRUE(contains(scratch_.read(run.line()), "\"not run\""));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "behind"));
  run = scratch_.lab({"task-run", "t", "--keep-going"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "behind"));
  EXPECT_TRUE(contains(scratch_.read("kernels/lab/tasks/t.json"), "\"status\": \"planned\"")) << "nothing was measured";
}

TEST_F(LabTask, AStepHasATimeLimitThatReachesThePrograms) {
  scratch_.write_lab({{"slow", "", "trap '' TERM\nsleep 300 &\necho $! > {}/pid; wait\n"}});
  const std::string source = scratch_.read("kernels/lab/prototypes/slow.sh");
  std::string rooted = source;
  rooted.replace(rooted.find("{}"), 2, scratch_.root().string());
  scratch_.write("kernels/lab/prototypes/slow.sh", rooted);
  scratch_.lab({"compile", "slow"});
  scratch_.write("kernels/lab/tasks/t.json", protocol(R"("pyc lab run slow")"));
  const Outcome run = scratch_.lab({"task-run", "t", "--timeout", "2"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_TRUE(scratch_.has_ended("pid"));
}

TEST_F(LabTask, StepsOfAnEarlierToolWithTheirEnvironmentAreRun) {
  scratch_.write("kernels/lab/tasks/t.json",
                 protocol(R"("LAB_WORD=1 sh -c 'test \"$LAB_WORD\" = 1'", "sh -c 'exit 0'")"));
  EXPECT_EQ(scratch_.lab({"task-run", "t"}).exit_code, 0);
}

TEST_F(LabTask, ATaskWithoutStepsIsExitTwoAndOneWithOpenQuotesFails) {
  scratch_.write("kernels/lab/tasks/t.json", protocol(""));
  EXPECT_EQ(scratch_.lab({"task-run", "t"}).exit_code, 2);
  scratch_.write("kernels/lab/tasks/t.json", protocol(R"("echo 'open")"));
  const Outcome run = scratch_.lab({"task-run", "t"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "open")) << run.errors;
}

TEST_F(LabTask, CompleteMakesTheWinnerTheNextBaseline) {
  create();
  scratch_.lab({"compile", "fast"});
  const std::string result =
      scratch_.lab({"bench", "fast", "--phase", "run", "--repeats", "1", "--warmup", "0"}).line();
  const Outcome run =
      scratch_.lab({"task-complete", "square-gemm", "--winner", "fast", "--result-json", result, "--notes", "it won"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "'fast' is the baseline of gemm/cuda/sm90, in place of 'slow'")) << run.errors;
  for (const char *part : {"\"kernel\": \"fast\"", "\"source\": \"task:Square GEMM\"", "\"notes\": \"it won\""})
    EXPECT_TRUE(contains(baselines(), part)) << baselines();
  EXPECT_FALSE(contains(baselines(), "\"slow\"")) << baselines();
  EXPECT_TRUE(contains(task(), "\"status\": \"completed\"") && contains(task(), "\"gflops\": 200.0")) << task();
  scratch_.lab({"task-create", "next"});
  EXPECT_TRUE(contains(scratch_.read("kernels/lab/tasks/next.json"), "\"baseline_kernel\": \"fast\""));
}

TEST_F(LabTask, CompleteKeepsTheGenericBaselineBesideTheNewOne) {
  scratch_.write_baselines("slow", "generic");
  create();
  EXPECT_EQ(scratch_.lab({"task-complete", "square-gemm", "--winner", "fast"}).exit_code, 0);
  EXPECT_TRUE(contains(baselines(), "\"generic\"") && contains(baselines(), "\"sm90\"")) << baselines();
}

TEST_F(LabTask, CompleteKeepsFieldsThatItDoesNotKnow) {
  scratch_.write("kernels/lab/tasks/t.json", protocol("\"true\""));
  EXPECT_EQ(scratch_.lab({"task-complete", "t", "--winner", "fast"}).exit_code, 0);
  const std::string text = scratch_.read("kernels/lab/tasks/t.json");
  EXPECT_TRUE(contains(text, "\"owner\": \"somebody\"") && contains(text, "\"tier\": \"large\"")) << text;
}

TEST_F(LabTask, CompleteRefusesAWinnerThatNothingShows) {
  create();
  const std::string tasks_before = task(), baselines_before = baselines();
  scratch_.lab({"compile", "slow"});
  const std::string result = scratch_.lab({"bench", "slow", "--phase", "run", "--repeats", "1"}).line();
  scratch_.write("text.json", "no");
  EXPECT_EQ(scratch_.lab({"task-complete", "square-gemm", "--winner", "nobody"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"task-complete", "nothing", "--winner", "fast"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"task-complete", "square-gemm", "--winner", "fast", "--result-json", "gone"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"task-complete", "square-gemm", "--winner", "fast", "--result-json", result}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"task-complete", "square-gemm", "--winner", "fast", "--result-json", "text.json"}).exit_code,
            3);
  EXPECT_EQ(task(), tasks_before);
  EXPECT_EQ(baselines(), baselines_before);
}

TEST_F(LabTask, CompleteWarnsBelowTheTarget) {
  create({"--target-tflops-min", "1"});
  scratch_.lab({"compile", "fast"});
  const std::string result = scratch_.lab({"bench", "fast", "--phase", "run", "--repeats", "1"}).line();
  const Outcome run = scratch_.lab({"task-complete", "square-gemm", "--winner", "fast", "--result-json", result});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.errors, "below_target: the winner reaches 0.20 TFLOPS")) << run.errors;
}

// The command lines that a reader of the product's description types, in a workspace with the lab that is shipped.
class ShippedLab : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(scratch_.root() / "kernels/lab");
    std::filesystem::copy(std::filesystem::path(PYC_SOURCE_FOLDER) / "kernels/lab/prototypes",
                          scratch_.root() / "kernels/lab/prototypes", std::filesystem::copy_options::recursive);
    std::filesystem::copy(std::filesystem::path(PYC_SOURCE_FOLDER) / "kernels/lab/manifests",
                          scratch_.root() / "kernels/lab/manifests", std::filesystem::copy_options::recursive);
    std::filesystem::copy(std::filesystem::path(PYC_SOURCE_FOLDER) / "kernels/lab/kernel_lab.py",
                          scratch_.root() / "kernels/lab/kernel_lab.py");
  }
  Outcome type(const std::string &line) const {
    return scratch_.shell("PATH=\"$(dirname \"$PYC\"):$PATH\"; export PATH\n" + line);
  }
  Scratch scratch_;
};

constexpr const char *kCreate =
    "python3 kernels/lab/kernel_lab.py task-create ada-sm89-gemm \\\n  --task-kind gemm --candidate-tag ada";

TEST_F(ShippedLab, DoctorAndTaskCreateWorkUnderTheOldName) {
  const Outcome doctor = type("python3 kernels/lab/kernel_lab.py doctor");
  EXPECT_EQ(doctor.exit_code, 0) << doctor.output << doctor.errors;
  EXPECT_TRUE(contains(doctor.output, "7 kernels")) << doctor.output;
  const Outcome create = type(kCreate);
  EXPECT_EQ(create.exit_code, 0) << create.errors;
  EXPECT_EQ(create.line(), "kernels/lab/tasks/ada-sm89-gemm.json");
}

TEST_F(ShippedLab, TaskCreateWorksWithoutAGpu) {
  scratch_.set("PATH", "/usr/bin:/bin");
  scratch_.set("CUDA_HOME", "/nonexistent");
  EXPECT_EQ(type(kCreate).exit_code, 0);
  const std::string task = pyc::test::slurp(scratch_ / "kernels/lab/tasks/ada-sm89-gemm.json");
  EXPECT_TRUE(contains(task, "\"arch\": \"sm89\"")) << task;
}

TEST_F(ShippedLab, TheOldNamePassesExitCodesAndFindsTheWorkspace) {
  const Outcome run = type("cd / && python3 '" + scratch_.root().string() + "/kernels/lab/kernel_lab.py' show nobody");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "'nobody'")) << run.errors;
}

TEST_F(ShippedLab, TheOldNameFindsWhatUvBuiltInTheCheckout) {
  const Outcome run = scratch_.shell(
      "mkdir -p .venv/bin && ln -s \"$PYC\" .venv/bin/pyc && PATH=/usr/bin:/bin python3 kernels/lab/kernel_lab.py "
      "list");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
}

TEST_F(ShippedLab, ImportLegacyMakesACandidateOfAShippedKernel) {
  const Outcome run = type(
      "pyc hpc import-legacy --legacy-name ada_gemm_k64_warp32_async \\\n"
      "  --name ada_async_import --dtype fp32 --arch sm89");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line(), "kernels/prototypes/ada_async_import");
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "kernels/prototypes/ada_async_import/gemm_program.cuh"));
  const Outcome list = type("pyc hpc list");
  EXPECT_TRUE(contains(list.output, "imported")) << list.output;
  const Outcome dry = type("pyc hpc validate --name ada_async_import --dry-run");
  EXPECT_EQ(dry.exit_code, 0) << dry.errors;
}

}  // namespace
}  // namespace pyc::cli::test
