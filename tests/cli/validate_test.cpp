#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>

#include "evidence/documents.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

// A scratch workspace with one candidate `x` and its validation at 64x64x64 (and the odd twin).
class ValidateVerb : public testing::Test {
 protected:
  void SetUp() override { scratch_.create("x"); }

  Outcome validate(const std::string &scenario = "pass", const std::vector<std::string> &more = {}) {
    scratch_.set("PYC_FAKE_SCENARIO", scenario);
    std::vector<std::string> words = {"hpc", "validate", "--name", "x", "--shape", "64x64x64"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.run(words);
  }
  evidence::Validation read(const Outcome &run) const {
    return value_of(evidence::read_validation(scratch_ / run.line()));
  }

  Scratch scratch_;
};

TEST_F(ValidateVerb, PrintsTheEvidencePathAndNothingElse) {
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line().rfind("kernels/results/x-validation-", 0), 0u);
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kPassed);
  ASSERT_EQ(document.shapes.size(), 2u);
  EXPECT_TRUE(document.shapes[0].timed);
  EXPECT_FALSE(document.shapes[1].timed);
  EXPECT_EQ(document.header.gpu->driver, "580.159");
  EXPECT_EQ(document.header.gpu->power_limit_w, 700.0);
  EXPECT_EQ(document.header.toolchain.nvcc_version, "13.0.88");
  EXPECT_TRUE(contains(document.header.logs.harness, "the harness's own words"));
}

TEST_F(ValidateVerb, ThePathCanBeOpenedFromWhereItWasPrinted) {
  const std::vector<std::string> words = {"hpc", "validate", "--name", "x", "--dry-run"};
  const Outcome below = scratch_.run(words, "kernels/prototypes/x");
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "kernels/prototypes/x" / below.line())) << below.line();
  const Outcome outside =
      scratch_.shell("cd / && pyc hpc validate --name x --dry-run --workspace '" + scratch_.root().string() + "'");
  EXPECT_TRUE(std::filesystem::path(outside.line()).is_absolute());
  EXPECT_TRUE(std::filesystem::exists(outside.line()));
}

TEST_F(ValidateVerb, TheSecondTimeNothingIsCompiled) {
  validate();
  const int before = scratch_.compilations();
  EXPECT_GT(before, 0);
  EXPECT_EQ(validate().exit_code, 0);
  EXPECT_EQ(scratch_.compilations(), before);
}

TEST_F(ValidateVerb, MeasuredFiguresEnterKernelJsonAndLeaveTheDigest) {
  const evidence::Validation first = read(validate());
  const std::string contract = pyc::test::slurp(scratch_ / "kernels/prototypes/x/kernel.json");
  EXPECT_TRUE(contains(contract, "\"registers_per_thread\": 96")) << contract;
  EXPECT_TRUE(contains(contract, "\"shared_memory_bytes\": 3072")) << contract;
  EXPECT_TRUE(contains(contract, "\"register_pressure\": \"medium\"")) << contract;
  EXPECT_EQ(read(validate()).header.candidate.digest, first.header.candidate.digest);
}

TEST_F(ValidateVerb, WhetherACallRepeatsItsBitsIsRecordedAndShown) {
  EXPECT_EQ(read(validate()).deterministic(), true);
  EXPECT_TRUE(contains(scratch_.run({"hpc", "show", "x"}).output, "give the same bits"));
  scratch_.set("PYC_FAKE_DETERMINISTIC", "false");
  EXPECT_EQ(read(validate()).deterministic(), false);
  EXPECT_TRUE(contains(pyc::test::slurp(scratch_ / "kernels/prototypes/x/kernel.json"), "\"deterministic\": false"));
  EXPECT_TRUE(contains(scratch_.run({"hpc", "show", "x"}).output, "not deterministic"));
}

TEST_F(ValidateVerb, SpillsEnterTheFigures) {
  scratch_.set("PYC_FAKE_SPILL", "48");
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  ASSERT_TRUE(read(run).ptxas);
  EXPECT_EQ(read(run).ptxas->spill_bytes, 48);
  EXPECT_TRUE(contains(pyc::test::slurp(scratch_ / "kernels/prototypes/x/kernel.json"), "\"spill_bytes\": 48"));
}

TEST_F(ValidateVerb, TheTileOfTheFirstWrongElementIsNamed) {
  const Outcome run = validate("fail");
  const evidence::Validation document = read(run);
  const auto failed = std::find_if(document.shapes[1].checks.begin(), document.shapes[1].checks.end(),
                                   [](const evidence::Check &check) { return check.first.has_value(); });
  ASSERT_NE(failed, document.shapes[1].checks.end());
  EXPECT_EQ(failed->first->tile_row, 0);
  EXPECT_EQ(failed->first->tile_column, 0);
  EXPECT_TRUE(contains(run.errors, "in tile (0, 0)")) << run.errors;
}

TEST_F(ValidateVerb, AWrongResultIsExitOneWithTheFirstWrongElement) {
  const Outcome run = validate("fail");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(read(run).header.status, evidence::DocumentStatus::kFailed);
  EXPECT_TRUE(contains(run.errors, "row 7, column 9: expected 1.25, got nan")) << run.errors;
  EXPECT_FALSE(
      contains(pyc::test::slurp(scratch_ / "kernels/prototypes/x/kernel.json"), "\"registers_per_thread\": 96"));
}

struct BadEnd {
  std::string scenario, error;
  int exit_code;
};
class BadEnds : public ValidateVerb, public testing::WithParamInterface<BadEnd> {};

TEST_P(BadEnds, KeepTheFinishedShapesAndSayWhy) {
  const Outcome run = validate(GetParam().scenario, {"--timeout", "1"});
  EXPECT_EQ(run.exit_code, GetParam().exit_code) << run.errors;
  EXPECT_TRUE(contains(run.errors, GetParam().error)) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kError);
  EXPECT_TRUE(contains(document.header.error, GetParam().error)) << document.header.error;
  if (GetParam().scenario == "no_device") return;
  EXPECT_EQ(document.shapes[0].status, "passed");
  if (GetParam().scenario != "garbage") {
    EXPECT_EQ(document.shapes[1].status, "unfinished");
  }
}

INSTANTIATE_TEST_SUITE_P(ValidateVerb, BadEnds,
                         testing::Values(BadEnd{"crash", "signal 11", 1}, BadEnd{"hang", "hangs", 1},
                                         BadEnd{"garbage", "hello from the kernel", 1}, BadEnd{"early", "'done'", 1},
                                         BadEnd{"exits_3", "exit code 3", 1},
                                         BadEnd{"cuda_error", "cudaStreamSynchronize(stream) at run.cpp:12", 1},
                                         BadEnd{"no_device", "no CUDA device", 3}),
                         [](const auto &info) { return info.param.scenario; });

TEST_F(ValidateVerb, AFaultOfTheKernelIsAFailedCheckOfItsShapeAndEndsTheRun) {
  const Outcome run = validate("fault");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.errors, "cudaErrorIllegalAddress")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "check 'page_ends' (alpha=1 beta=1 at the end of a page)")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "again: pyc hpc validate --name x --shape")) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kError);
  EXPECT_TRUE(contains(document.header.error, "check page_ends")) << document.header.error;
  EXPECT_EQ(document.shapes[0].status, "passed");
  EXPECT_EQ(document.shapes[1].status, "failed");
  EXPECT_EQ(document.shapes[1].checks.back().check, "page_ends");
  EXPECT_EQ(document.shapes[1].checks.back().status, "failed");
}

// The checks of the document that have one name.
std::vector<evidence::Check> named(const evidence::Validation &document, const std::string &name) {
  std::vector<evidence::Check> found;
  for (const evidence::ShapeValidation &shape : document.shapes) {
    std::copy_if(shape.checks.begin(), shape.checks.end(), std::back_inserter(found),
                 [&](const evidence::Check &check) { return check.check == name; });
  }
  return found;
}

TEST_F(ValidateVerb, QuickSaysWhatItLeftOut) {
  const Outcome run = validate("pass", {"--quick"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "left out: page_ends\n")) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.depth, "quick");
  const auto skipped = named(document, "page_ends");
  ASSERT_EQ(skipped.size(), 2u);
  EXPECT_EQ(skipped[0].status, "skipped");
}

TEST_F(ValidateVerb, WithoutQuickNothingIsLeftOut) {
  const Outcome run = validate();
  EXPECT_FALSE(contains(run.errors, "left out")) << run.errors;
  EXPECT_EQ(read(run).depth, "default");
  EXPECT_EQ(named(read(run), "page_ends").size(), read(run).shapes.size());
  for (const evidence::Check &check : named(read(run), "page_ends")) EXPECT_EQ(check.status, "passed");
}

TEST_F(ValidateVerb, LargeAddsProblemsOfTheFamilyWithHugeOperands) {
  const Outcome run = validate("pass", {"--large"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const evidence::Validation document = read(run);
  ASSERT_GT(document.shapes.size(), 2u);
  EXPECT_EQ(named(document, "large").size(), document.shapes.size() - 2);
  for (std::size_t i = 2; i < document.shapes.size(); ++i) {
    const evidence::Shape &shape = document.shapes[i].shape;
    EXPECT_GT(std::max({shape.m * shape.k, shape.k * shape.n, shape.m * shape.n}), std::int64_t{1} << 31);
    EXPECT_FALSE(document.shapes[i].timed);
  }
}

TEST_F(ValidateVerb, ALargeProblemThatNoGpuHereCanHoldIsLeftOutWithAWarning) {
  const std::size_t all = read(validate("pass", {"--large"})).shapes.size();
  scratch_.set("PYC_FAKE_MEMORY_MIB", "24564");
  const Outcome run = validate("pass", {"--large"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "large_shape_left_out")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "the GPU has 25.8 GB")) << run.errors;
  EXPECT_LT(read(run).shapes.size(), all);
  EXPECT_GT(named(read(run), "large").size(), 0u);
}

TEST_F(ValidateVerb, AFailureAtALargeProblemIsShownAgainByLarge) {
  const Outcome run = validate("fail", {"--large", "--seed", "7"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.errors, "again: pyc hpc validate --name x --large --seed 7\n")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "again: pyc hpc validate --name x --shape 65x65x63 --seed 7\n")) << run.errors;
}

TEST_F(ValidateVerb, LargeIsAWarningWhereTheFamilyHasNoSuchProblem) {
  scratch_.run({"hpc", "create", "gemm", "--name", "y", "--arch", "sm90", "--shape-family", "small"});
  const Outcome run = scratch_.run({"hpc", "validate", "--name", "y", "--shape", "64x64x64", "--large"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "no_large_shape")) << run.errors;
  EXPECT_EQ(read(run).shapes.size(), 2u);
}

// With a fake compute-sanitizer on PATH, and with what it finds.
class Sanitizer : public ValidateVerb {
 protected:
  Outcome sanitize(const std::string &finds, const std::string &scenario = "pass") {
    const std::filesystem::path toolkit = std::filesystem::path(PYC_SOURCE_FOLDER) / "tests/cli/fake_toolkit";
    scratch_.set("PATH", (toolkit / "sanitizer").string() + ":" + (toolkit / "bin").string() + ":/usr/bin:/bin");
    scratch_.set("PYC_FAKE_SANITIZER", finds);
    return validate(scenario, {"--sanitize"});
  }
};

TEST_F(Sanitizer, RecordsEveryToolAtTwoShapes) {
  const Outcome run = sanitize("nothing");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kPassed);
  ASSERT_EQ(document.sanitizers.size(), 8u);
  for (const evidence::Check &check : document.sanitizers) EXPECT_EQ(check.status, "passed") << check.check;
}

TEST_F(Sanitizer, WhatAToolFindsFailsTheCandidateAndTheOtherToolsStillRun) {
  const Outcome run = sanitize("race");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.errors, "failed racecheck at 129x131x67: Error: Race reported")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "; racecheck failed at 129x131x67")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "again: ")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "compute-sanitizer --tool racecheck")) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kFailed);
  ASSERT_EQ(document.sanitizers.size(), 8u);
  EXPECT_EQ(document.shapes[0].status, "passed");
}

TEST_F(Sanitizer, AToolThatMayNotLookIsExitThreeAndKeepsTheShapes) {
  const Outcome run = sanitize("blind");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "Device not supported")) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kError);
  EXPECT_EQ(document.shapes[0].status, "passed");
}

TEST_F(Sanitizer, AToolThatMayNotLookDoesNotHideAFailure) {
  const Outcome run = sanitize("blind", "fail");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.errors, "failed at 1 of 2 shapes")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "not_sanitized")) << run.errors;
  EXPECT_EQ(read(run).header.status, evidence::DocumentStatus::kFailed);
}

TEST_F(Sanitizer, WhatOneToolFoundStandsThoughTheNextMayNotLook) {
  const Outcome run = sanitize("half");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.errors, "failed memcheck at 129x131x67: Invalid __global__ read")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "not_sanitized")) << run.errors;
  EXPECT_EQ(read(run).sanitizers.size(), 2u);
}

TEST_F(Sanitizer, IsNotRunBehindAFault) {
  const Outcome run = sanitize("nothing", "fault");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(read(run).sanitizers.size(), 0u);
}

TEST_F(ValidateVerb, SanitizeWithoutTheToolIsExitThreeAndKeepsTheShapes) {
  const Outcome run = validate("pass", {"--sanitize"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "compute-sanitizer is neither in PATH nor in the toolkit")) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kError);
  EXPECT_EQ(document.shapes[0].status, "passed");
}

TEST_F(ValidateVerb, CtrlCKeepsTheFinishedShapesAndExitsWith130) {
  scratch_.set("PYC_FAKE_SCENARIO", "wait");
  scratch_.set("PYC_FAKE_MARK", (scratch_ / "mark").string());
  const Outcome run = scratch_.shell(
      "\"$PYC\" hpc validate --name x --shape 64x64x64 & child=$!\n"
      "for i in $(seq 300); do [ -e mark ] && break; sleep 0.1; done\n"
      "kill -INT $child; wait $child");
  EXPECT_EQ(run.exit_code, 130) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kError);
  EXPECT_EQ(document.header.error, "interrupted");
  EXPECT_EQ(document.shapes[0].status, "passed");
  EXPECT_EQ(document.shapes[1].status, "unfinished");
}

TEST_F(ValidateVerb, CtrlCWhileItCompilesExitsWith130AndLeavesNoEvidence) {
  scratch_.set("PYC_FAKE_NVCC_MARK", (scratch_ / "mark").string());
  const Outcome run = scratch_.shell(
      "\"$PYC\" hpc validate --name x --shape 64x64x64 & child=$!\n"
      "for i in $(seq 300); do [ -e mark ] && break; sleep 0.1; done\n"
      "kill -INT $child; wait $child");
  EXPECT_EQ(run.exit_code, 130) << run.errors;
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(scratch_.entries("kernels/results"), 0);
}

TEST_F(ValidateVerb, ASourceThatDoesNotCompileIsExitOneWithTheCompilersWords) {
  scratch_.write("kernels/prototypes/x/kernel.cu", "#error not yet\n");
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.output, "");
  EXPECT_TRUE(contains(run.errors, "#error directive: not yet")) << run.errors;
  EXPECT_EQ(scratch_.entries("kernels/results"), 0);
}

TEST_F(ValidateVerb, RegisterSpillsAreAWarning) {
  scratch_.set("PYC_FAKE_SPILL", "48");
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.errors, "register_spill: ptxas spills 48 bytes")) << run.errors;
  EXPECT_EQ(read(run).header.warnings.back().code, "register_spill");
}

TEST_F(ValidateVerb, WithoutAGpuItCompilesNothingAndPointsToTheDryRun) {
  scratch_.set("PATH", "/nonexistent");
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.output, "");
  EXPECT_TRUE(contains(run.errors, "--dry-run")) << run.errors;
  EXPECT_EQ(scratch_.compilations(), 0);
}

TEST_F(ValidateVerb, AGpuOfAnotherArchIsNamedBesideTheCandidates) {
  scratch_.set("PYC_FAKE_CAPABILITY", "8.9");
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "sm90")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "8.9")) << run.errors;
  EXPECT_EQ(scratch_.compilations(), 0);
}

TEST_F(ValidateVerb, AnNvccThatIsNotThereIsExitThree) {
  const Outcome run = validate("pass", {"--nvcc", "/nonexistent/nvcc"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "'/nonexistent/nvcc'")) << run.errors;
}

TEST_F(ValidateVerb, ADryRunNeedsNoCudaAndWritesPlannedEvidence) {
  scratch_.set("PATH", "/nonexistent");
  const Outcome run = validate("pass", {"--dry-run"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kPlanned);
  EXPECT_EQ(document.shapes.size(), 2u);
  EXPECT_FALSE(document.header.gpu);
}

TEST_F(ValidateVerb, JsonIsOneDocumentWithPathAndEvidence) {
  const Outcome run = validate("pass", {"--json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output.rfind("{\"evidence_path\": \"kernels/results/", 0), 0u) << run.output;
  EXPECT_TRUE(contains(run.output, "\"status\": \"passed\""));
}

TEST_F(ValidateVerb, NothingIsRunWhoseEvidenceCannotBeKept) {
  std::filesystem::create_directory_symlink("/proc/self/fdinfo", scratch_ / "kernels/results");  // takes no file
  scratch_.set("PYC_FAKE_MARK", (scratch_ / "mark").string());
  const Outcome run = validate("wait", {"--timeout", "1"});
  EXPECT_EQ(run.exit_code, 2) << run.errors;
  EXPECT_TRUE(contains(run.errors, "kernels/results")) << run.errors;
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "mark")) << "the harness was started";
}

TEST_F(ValidateVerb, AReadOnlyResultsFolderIsAnErrorThatNamesIt) {
  if (geteuid() == 0) GTEST_SKIP() << "root writes everywhere";
  std::filesystem::create_directories(scratch_ / "kernels/results");
  std::filesystem::permissions(scratch_ / "kernels/results", std::filesystem::perms::owner_read);
  const Outcome run = validate("pass", {"--dry-run"});
  std::filesystem::permissions(scratch_ / "kernels/results", std::filesystem::perms::owner_all);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.errors, "kernels/results")) << run.errors;
}

struct BadContract {
  std::string name, from, to, error;
};
class BadContracts : public ValidateVerb, public testing::WithParamInterface<BadContract> {};

TEST_P(BadContracts, AreRefusedByNameAndField) {
  const auto path = scratch_ / "kernels/prototypes/x/kernel.json";
  std::string text = pyc::test::slurp(path);
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, GetParam().from.size(), GetParam().to);
  scratch_.write("kernels/prototypes/x/kernel.json", text);
  const Outcome run = validate("pass", {"--dry-run"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "kernel.json")) << run.errors;
  EXPECT_TRUE(contains(run.errors, GetParam().error)) << run.errors;
  EXPECT_EQ(scratch_.entries("kernels/results"), 0);
}

INSTANTIATE_TEST_SUITE_P(
    ValidateVerb, BadContracts,
    testing::Values(BadContract{"missing", "\"dtype\": \"fp32\",", "", "dtype"},
                    BadContract{"wrong_type", "\"dtype\": \"fp32\"", "\"dtype\": 32", "dtype"},
                    BadContract{"unknown_key", "\"dtype\": \"fp32\"", "\"dtyp\": 1, \"dtype\": \"fp32\"", "dtyp"},
                    BadContract{"duplicate", "\"dtype\": \"fp32\"", "\"dtype\": \"fp32\", \"dtype\": \"fp32\"",
                                "dtype"},
                    BadContract{"broken_text", "\"dtype\": \"fp32\"", "\"dtype\": \"\xff\"", "UTF-8"},
                    BadContract{"symbol", "pyc_gemm_x", "x; }", "symbol"}),
    [](const auto &info) { return info.param.name; });

TEST_F(ValidateVerb, AHugeContractIsRefused) {
  scratch_.write("kernels/prototypes/x/kernel.json", std::string(100 << 20, ' '));
  const Outcome run = validate("pass", {"--dry-run"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "kernel.json")) << run.errors;
}

}  // namespace
}  // namespace pyc::cli::test
