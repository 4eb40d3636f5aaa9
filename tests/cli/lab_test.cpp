// The lab's verbs on kernels, as its users call them.
#include <filesystem>
#include <gtest/gtest.h>

#include "tests/cli/lab_scratch.h"

namespace pyc::cli::test {
namespace {

class Lab : public testing::Test {
 protected:
  LabScratch scratch_;
};

TEST_F(Lab, ListShowsEveryKernelAndShowItsCommands) {
  const Outcome list = scratch_.lab({"list"});
  EXPECT_EQ(list.exit_code, 0) << list.errors;
  EXPECT_TRUE(contains(list.output, "fast") && contains(list.output, "slow")) << list.output;
  const Outcome show = scratch_.lab({"show", "fast"});
  EXPECT_EQ(show.exit_code, 0);
  EXPECT_TRUE(contains(show.output, "cp {source} {build_dir}/{name}")) << show.output;
}

TEST_F(Lab, AKernelThatDoesNotExistIsExitTwoWithTheNearestName) {
  for (const char *verb : {"show", "compile", "run", "bench"}) {
    const Outcome run = scratch_.lab({verb, "fasst"});
    EXPECT_EQ(run.exit_code, 2) << verb;
    EXPECT_TRUE(contains(run.errors, "'fasst'") && contains(run.errors, "did you mean 'fast'?")) << run.errors;
  }
}

TEST_F(Lab, CompileThenRunPrintsWhatTheProgramPrints) {
  EXPECT_EQ(scratch_.lab({"compile", "fast"}).exit_code, 0);
  const Outcome run = scratch_.lab({"run", "fast"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.output, "best_ms=1.5\ngflops=200\n");
  EXPECT_TRUE(contains(run.errors, "best 1.5000 ms, 200.0 GFLOP/s")) << run.errors;
}

TEST_F(Lab, NothingRunsUntilItIsAsked) {
  scratch_.write_lab({{"marks", "", "", "touch {root}/mark", "touch {root}/mark"}});
  for (const std::vector<std::string> &words :
       std::vector<std::vector<std::string>>{{"doctor"}, {"list"}, {"show", "marks"}, {"bench-suite", "--dry-run"}})
    EXPECT_EQ(scratch_.lab(words).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "mark"));
}

TEST_F(Lab, AProgramThatWasNotCompiledIsExitTwoAndSaysWhatToDo) {
  scratch_.write_lab({{"fast", "", "", "true", "{build_dir}/{name} 1"}});
  const Outcome run = scratch_.lab({"run", "fast"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "pyc lab compile fast")) << run.errors;
}

TEST_F(Lab, AMissingCompilerIsExitFour) {
  scratch_.write_lab({{"fast", "", "", "{nvcc} {source} -o {build_dir}/{name}"}});
  EXPECT_EQ(scratch_.lab({"compile", "fast"}).exit_code, 0);
  const Outcome run = scratch_.lab({"--nvcc", "/nonexistent/nvcc", "compile", "fast"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_TRUE(contains(run.errors, "'/nonexistent/nvcc'")) << run.errors;
}

TEST_F(Lab, AMissingProgramIsExitFour) {
  scratch_.write_lab({{"fast", "", "", "no-such-compiler {source}"}});
  const Outcome run = scratch_.lab({"compile", "fast"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_TRUE(contains(run.errors, "no-such-compiler")) << run.errors;
}

TEST_F(Lab, ACommandThatFailsIsExitFiveWithItsWords) {
  scratch_.write_lab({{"fast", "", "echo half done; echo it broke >&2; exit 7\n"}});
  scratch_.lab({"compile", "fast"});
  const Outcome run = scratch_.lab({"run", "fast"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(run.output, "half done\n");
  EXPECT_TRUE(contains(run.errors, "it broke") && contains(run.errors, "exit code 7")) << run.errors;
}

TEST_F(Lab, NoShellReadsACommand) {
  scratch_.write_lab({{"fast", "", "", "true", "printf %s '$HOME; {name} *' \\\"a b\\\""}});
  const Outcome run = scratch_.lab({"run", "fast"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.output, "$HOME; fast *a b\n");
}

TEST_F(Lab, WordsBeforeTheProgramAreItsEnvironment) {
  scratch_.write_lab({{"fast", "", "", "true", "LAB_WORD='a b' LAB_NAME={name} printenv LAB_WORD LAB_NAME"}});
  EXPECT_EQ(scratch_.lab({"run", "fast"}).output, "a b\nfast\n");
}

TEST_F(Lab, ACommandRunsInTheWorkspace) {
  scratch_.write_lab({{"fast", "", "", "true", "pwd"}});
  const Outcome run = scratch_.shell("mkdir -p below && cd below && pyc lab run fast");
  EXPECT_EQ(run.output, std::filesystem::canonical(scratch_.root()).string() + "\n");
}

// A grandchild that ignores SIGTERM and outlives its parent's end.
TEST_F(Lab, TheTimeLimitEndsTheWholeProcessGroup) {
  const std::string script = "trap '' TERM\nsh -c 'trap \"\" TERM; echo $$ > {}/pid; sleep 300' &\nwait\n";
  std::string with_root = script;
  with_root.replace(with_root.find("{}"), 2, scratch_.root().string());
  scratch_.write_lab({{"fast", "", with_root}});
  scratch_.lab({"compile", "fast"});
  const Outcome run = scratch_.lab({"run", "fast", "--timeout", "1"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_TRUE(contains(run.errors, "time limit") && contains(run.errors, "--timeout")) << run.errors;
  EXPECT_TRUE(scratch_.has_ended("pid"));
}

TEST_F(Lab, BenchKeepsTimesAndTheBestThatTheKernelSaid) {
  scratch_.write_lab(
      {{"fast", "", "n=$(cat count 2>/dev/null || echo 5)\necho $((n - 1)) > count\necho best_ms=$n\n"}});
  scratch_.lab({"compile", "fast"});
  const Outcome run = scratch_.lab({"bench", "fast", "--phase", "run", "--repeats", "3", "--warmup", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line().rfind("kernels/lab/results/fast-", 0), 0u) << run.output;
  const std::string result = scratch_.read(run.line());
  EXPECT_TRUE(contains(result, "\"best_ms\": 2.0")) << result;  // of 4, 3 and 2; 5 was the warm-up
  EXPECT_TRUE(contains(result, "\"gflops\": null")) << result;
  EXPECT_TRUE(contains(result, "\"status\": \"completed\"")) << result;
}

TEST_F(Lab, ABenchThatFailsKeepsWhyAndExitsWithFive) {
  scratch_.write_lab({{"fast", "", "echo no >&2; exit 1\n"}});
  const Outcome run = scratch_.lab({"bench", "fast", "--phase", "both", "--repeats", "1", "--warmup", "0"});
  EXPECT_EQ(run.exit_code, 5);
  const std::string result = scratch_.read(run.line());
  EXPECT_TRUE(contains(result, "\"status\": \"failed\"") && contains(result, "exit code 1")) << result;
  EXPECT_TRUE(contains(result, "\"compile\": {")) << "the phase that was finished is kept: " << result;
}

TEST_F(Lab, APhaseThatTheKernelDoesNotHaveIsExitTwoAndWritesNothing) {
  scratch_.write_lab({{"fast", "", "", "true", ""}});
  EXPECT_EQ(scratch_.lab({"bench", "fast", "--phase", "run"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"run", "fast"}).exit_code, 2);
  EXPECT_EQ(scratch_.entries("kernels/lab/results"), 0);
}

TEST_F(Lab, SuiteTakesTheKernelsOfATagAndGoesOnBehindOneThatFails) {
  scratch_.write_lab({{"bad", "\"demo\"", "exit 1\n"},
                      {"good", "\"demo\", \"more\""},
                      {"other", "\"another\""},
                      {"half", "\"demo\"", "", "true", ""}});
  const Outcome run =
      scratch_.lab({"bench-suite", "--tag", "demo", "--repeats", "1", "--warmup", "0", "--label", "mine"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(run.line().rfind("kernels/lab/results/mine-", 0), 0u) << run.output;
  EXPECT_TRUE(contains(run.errors, "1 of 3 kernels")) << run.errors;
  const std::string result = scratch_.read(run.line());
  for (const char *part : {"\"failed\"", "\"completed\"", "\"skipped\"", "it has no run_cmd"})
    EXPECT_TRUE(contains(result, part)) << part << ": " << result;
  EXPECT_FALSE(contains(result, "\"other\"")) << result;
}

TEST_F(Lab, SuiteWithNameAndTagWantsBoth) {
  scratch_.write_lab({{"a", "\"demo\""}, {"b", "\"other\""}});
  EXPECT_EQ(scratch_.lab({"bench-suite", "--dry-run", "--tag", "demo", "--name", "a"}).exit_code, 0);
  EXPECT_EQ(scratch_.lab({"bench-suite", "--dry-run", "--tag", "demo", "--name", "b"}).exit_code, 2);
  const Outcome run = scratch_.lab({"bench-suite", "--dry-run", "--tag", "dmo"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "did you mean 'demo'?")) << run.errors;
}

TEST_F(Lab, ADryRunOfASuiteWritesThePlanAndRunsNothing) {
  const Outcome run = scratch_.lab({"bench-suite", "--dry-run"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line().rfind("kernels/lab/results/kernel-suite-plan-", 0), 0u) << run.output;
  EXPECT_TRUE(contains(scratch_.read(run.line()), "\"status\": \"planned\""));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "kernels/lab/build"));
}

TEST_F(Lab, BenchCommandTimesAnyCommand) {
  const Outcome run =
      scratch_.lab({"bench-cmd", "a/label", "printf 'best_ms: 3\\n'", "--repeats", "2", "--warmup", "0"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line().rfind("kernels/lab/results/a_label-", 0), 0u) << run.output;
  EXPECT_TRUE(contains(scratch_.read(run.line()), "\"best_ms\": 3.0"));
  EXPECT_EQ(scratch_.lab({"bench-cmd", "x", "false"}).exit_code, 5);
  EXPECT_EQ(scratch_.lab({"bench-cmd", "x", "'open"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"bench-cmd", "///", "true"}).exit_code, 2);
}

TEST_F(Lab, BraceWordsOfAPlainCommandAreItsOwn) {
  const Outcome run = scratch_.lab({"bench-cmd", "awk", "awk 'BEGIN {print 1}'", "--repeats", "1", "--warmup", "0"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
}

TEST_F(Lab, CompareShowsWallTimeAndTheKernelsOwnFiguresApart) {
  scratch_.write_lab({{"fast"}, {"slow", "", "echo best_ms=3\n"}});
  std::vector<std::string> paths;
  for (const char *name : {"fast", "slow"}) {
    scratch_.lab({"compile", name});
    paths.push_back(scratch_.lab({"bench", name, "--phase", "run", "--repeats", "2", "--warmup", "0"}).line());
  }
  const Outcome run = scratch_.lab({"compare", paths[0], paths[1]});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "run, mean")) << run.output;
  EXPECT_TRUE(contains(run.output, "+100.00 %")) << run.output;
  EXPECT_FALSE(contains(run.output, "gflops")) << "only one of them said so: " << run.output;
}

TEST_F(Lab, CompareReadsResultsOfTheEarlierTool) {
  const std::string old =
      R"({"meta": {"kernel": "x"}, "kernel": {"name": "x"}, "compile": null,
          "run": {"cmd": "x", "stats": {"mean_ms": 2.5, "samples_ms": [2.5]}, "observed_metrics": {"best_ms": 1, "note": "text"}}})";
  scratch_.write("a.json", old);
  const Outcome run = scratch_.lab({"compare", "a.json", "a.json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "+0.00 %")) << run.output;
}

TEST_F(Lab, CompareRefusesWhatIsNoResult) {
  scratch_.write("good.json", R"({"kernel": {"name": "x"}, "run": {"stats": {"mean_ms": 2.5}}})");
  scratch_.write("compiled.json", R"({"kernel": {"name": "x"}, "compile": {"stats": {"mean_ms": 2.5}}})");
  scratch_.write("text.json", "not JSON");
  scratch_.write("wrong.json", R"({"kernel": {"name": "x"}, "run": {"stats": {"mean_ms": "2.5"}}})");
  EXPECT_EQ(scratch_.lab({"compare", "good.json", "gone.json"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"compare", "good.json", "compiled.json"}).exit_code, 2);
  EXPECT_EQ(scratch_.lab({"compare", "good.json", "text.json"}).exit_code, 3);
  const Outcome run = scratch_.lab({"compare", "good.json", "wrong.json"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "run.stats.mean_ms")) << run.errors;
}

TEST_F(Lab, CompareWritesForeignNamesWithoutTheirControlCharacters) {
  scratch_.write("a.json", R"({"kernel": {"name": "a\u001b[31m"}, "run": {"stats": {"mean_ms": 2.5}}})");
  const Outcome run = scratch_.lab({"compare", "a.json", "a.json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "a\\x1b[31m")) << run.output;
}

TEST_F(Lab, ASuiteThatIsKilledLeavesADocument) {
  scratch_.write_lab({{"fast", "", "", "true", "sh -c 'kill -KILL $PPID'"}});
  const Outcome read =
      scratch_.shell("pyc lab bench-suite --phase run --repeats 1 >&2; cat kernels/lab/results/kernel-suite-*.json");
  EXPECT_TRUE(contains(read.output, "\"kernels\": []")) << read.output;
}

TEST_F(Lab, GlobalFlagsStandBeforeOrBehindTheVerb) {
  scratch_.write("mine.json", R"({"kernels": []})");
  for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
           {"--manifest", "mine.json", "list"}, {"list", "--manifest", "mine.json"}}) {
    const Outcome run = scratch_.lab(words);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(run.output, "");
  }
  EXPECT_EQ(scratch_.lab({"--manifest", "gone.json", "list"}).exit_code, 2);
}

TEST_F(Lab, ResultsAndBuildsGoWhereTheyAreAskedTo) {
  const Outcome run = scratch_.lab({"--build-dir", "b", "--results-dir", "r", "bench", "fast", "--phase", "compile",
                                    "--repeats", "1", "--warmup", "0"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line().rfind("r/fast-", 0), 0u);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "b/fast"));
}

TEST_F(Lab, ProgressIsALineForEachRunWhereThereIsNoTerminal) {
  const Outcome run =
      scratch_.lab({"bench", "fast", "--phase", "compile", "--repeats", "2", "--warmup", "1", "--progress"});
  EXPECT_TRUE(contains(run.errors, "[1/3] the compile_cmd of 'fast' (warm-up)\n[2/3]")) << run.errors;
  EXPECT_FALSE(contains(scratch_.lab({"bench", "fast", "--repeats", "1"}).errors, "[1/")) << "only where it is asked";
}

TEST_F(Lab, DoctorSaysWhatIsInOrder) {
  scratch_.write_baselines("fast");
  const Outcome run = scratch_.lab({"doctor"});
  EXPECT_EQ(run.exit_code, 0) << run.output << run.errors;
  EXPECT_TRUE(contains(run.output, "2 kernels")) << run.output;
}

TEST_F(Lab, DoctorDoesNotNeedACompilerOrAGpu) {
  scratch_.set("PATH", "/usr/bin:/bin");
  scratch_.set("CUDA_HOME", "/nonexistent");
  EXPECT_EQ(scratch_.lab({"doctor"}).exit_code, 0);
}

TEST_F(Lab, DoctorFindsMissingSourcesBaselinesAndBrokenTasks) {
  std::filesystem::remove(scratch_ / "kernels/lab/prototypes/slow.sh");
  Outcome run = scratch_.lab({"doctor"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "slow.sh")) << run.errors;
  scratch_.write_lab({{"fast"}});
  scratch_.write_baselines("fasd");
  run = scratch_.lab({"doctor"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "'fasd'")) << run.errors;
  scratch_.write_baselines("fast");
  scratch_.write("kernels/lab/tasks/broken.json", "{");
  run = scratch_.lab({"doctor"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "broken.json")) << run.errors;
}

struct BadManifest {
  std::string name, text, error;
};
class BadManifests : public Lab, public testing::WithParamInterface<BadManifest> {};

TEST_P(BadManifests, AreExitThreeWithFileAndReason) {
  scratch_.write_manifest(GetParam().text);
  for (const std::vector<std::string> &words :
       std::vector<std::vector<std::string>>{{"list"}, {"doctor"}, {"compile", "x"}, {"task-create", "t"}}) {
    const Outcome run = scratch_.lab(words);
    EXPECT_EQ(run.exit_code, 3) << words.front();
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(contains(run.errors, "kernels.json")) << run.errors;
    EXPECT_TRUE(contains(run.errors, GetParam().error)) << run.errors;
    EXPECT_TRUE(contains(run.errors, "\n\nhint: ")) << run.errors;
  }
}

std::string with(const std::string &field, const std::string &value) {
  std::string text =
      R"({"kernels": [{"name": "x", "source": "s.cu", "tags": [], "compile_cmd": "cc", "run_cmd": ""}]})";
  const std::size_t at = text.find("\"" + field + "\": ") + field.size() + 4;
  return text.replace(at, text.find_first_of(",}", at) - at, value);
}

INSTANTIATE_TEST_SUITE_P(
    Lab, BadManifests,
    testing::Values(BadManifest{"garbage", "\x01\x02 kernels", "parse error"}, BadManifest{"empty", "", "parse error"},
                    BadManifest{"truncated", R"({"kernels": [{"name": "x")", "parse error"},
                    BadManifest{"huge", std::string(17 << 20, ' '), "larger than"},
                    BadManifest{"list", "[]", "expected an object"},
                    BadManifest{"no_kernels", "{}", "'kernels' is missing"},
                    BadManifest{"kernels_object", R"({"kernels": {}})", "'kernels'"},
                    BadManifest{"kernel_text", R"({"kernels": ["x"]})", "'kernels[0]'"},
                    BadManifest{"name_number", with("name", "7"), "kernels[0].name"},
                    BadManifest{"name_path", with("name", "\"../x\""), "kernels[0].name"},
                    BadManifest{"tags_text", with("tags", "\"ada\""), "kernels[0].tags"},
                    BadManifest{"source_outside", with("source", "\"../../etc/passwd\""), "kernels[0].source"},
                    BadManifest{"source_absolute", with("source", "\"/etc/passwd\""), "kernels[0].source"},
                    BadManifest{"placeholder", with("compile_cmd", "\"{nvc} x\""), "unknown placeholder '{nvc}'"},
                    BadManifest{"open_brace", with("compile_cmd", "\"{nvcc x\""), "not closed"},
                    BadManifest{"open_quote", with("run_cmd", "\"x 'y\""), "quote"},
                    BadManifest{"nul", with("run_cmd", R"("x\u0000y")"), "NUL"},
                    BadManifest{"source_nul", with("source", R"("x\u0000y")"), "kernels[0].source"},
                    BadManifest{"no_program", with("run_cmd", "\"A=1\""), "no program"},
                    BadManifest{"null_command", with("run_cmd", "null"), "kernels[0].run_cmd"},
                    BadManifest{"unknown_field", with("tags", "[], \"tag\": []"), "unknown field 'kernels[0].tag'"},
                    BadManifest{"twice", with("tags", "[], \"tags\": []"), "twice"},
                    BadManifest{"same_name",
                                R"({"kernels": [{"name": "x", "source": "s", "compile_cmd": "", "run_cmd": ""},
                                 {"name": "x", "source": "s", "compile_cmd": "", "run_cmd": ""}]})",
                                "kernels[1].name"},
                    BadManifest{"not_utf8", with("source", "\"\xff\""), "UTF-8"}),
    [](const auto &info) { return info.param.name; });

TEST_F(Lab, AManifestThatIsAFolderIsExitThree) {
  std::filesystem::remove(scratch_ / "kernels/lab/manifests/kernels.json");
  std::filesystem::create_directory(scratch_ / "kernels/lab/manifests/kernels.json");
  EXPECT_EQ(scratch_.lab({"list"}).exit_code, 3);
}

struct Usage {
  std::vector<std::string> words;
  std::string error;
};
class LabUsage : public Lab, public testing::WithParamInterface<Usage> {};

TEST_P(LabUsage, IsExitTwo) {
  const Outcome run = scratch_.lab(GetParam().words);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, GetParam().error)) << run.errors;
}

INSTANTIATE_TEST_SUITE_P(Lab, LabUsage,
                         testing::Values(Usage{{"lst"}, "did you mean 'list'?"}, Usage{{"show"}, "needs --name"},
                                         Usage{{"bench", "fast", "--phase", "copile"}, "did you mean 'compile'?"},
                                         Usage{{"bench", "fast", "--repeats", "0"}, "--repeats '0'"},
                                         Usage{{"bench", "fast", "--warmup", "-1"}, "--warmup '-1'"},
                                         Usage{{"run", "fast", "--timeout", "0"}, "--timeout '0'"},
                                         Usage{{"--manifst", "x", "list"}, "did you mean '--manifest'?"},
                                         Usage{{"task-complete", "t"}, "needs --winner"},
                                         Usage{{"task-show", "nobody"}, "'nobody'"},
                                         Usage{{"task-run", "../x"}, "'../x'"}));

}  // namespace
}  // namespace pyc::cli::test
