#include <filesystem>
#include <gtest/gtest.h>

#include "evidence/documents.h"
#include "tests/cli/lab_scratch.h"

namespace pyc::cli::test {
namespace {

// A kernel of the lab whose program is a script, imported as `x`.
class ImportLegacy : public testing::Test {
 protected:
  Outcome import(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"hpc", "import-legacy", "--legacy-name", "fast",   "--name",
                                      "x",   "--dtype",       "fp32",          "--arch", "sm90"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.run(words);
  }
  Outcome validate(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"hpc", "validate", "--name", "x"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.run(words);
  }
  evidence::Validation read(const Outcome &run) const {
    return value_of(evidence::read_validation(scratch_ / run.line()));
  }
  LabScratch scratch_;
};

TEST_F(ImportLegacy, CopiesTheSourceAndItsHeadersAndSaysWhereItComesFrom) {
  scratch_.write_lab({{"fast", "", "#include \"beside.h\"\nint main() {}\n"}});
  scratch_.write("kernels/lab/prototypes/beside.h", "#include \"further.h\"\n");
  scratch_.write("kernels/lab/prototypes/further.h", "\n");
  const Outcome run = import();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line(), "kernels/prototypes/x");
  EXPECT_EQ(scratch_.read("kernels/prototypes/x/kernel.cu"), "#include \"beside.h\"\nint main() {}\n");
  EXPECT_EQ(scratch_.entries("kernels/prototypes/x"), 4) << "kernel.cu, kernel.json and two headers";
  const std::string contract = scratch_.read("kernels/prototypes/x/kernel.json");
  EXPECT_TRUE(contains(contract, "\"kind\": \"imported\"") && contains(contract, "\"name\": \"fast\"")) << contract;
}

TEST_F(ImportLegacy, ShowsAsImported) {
  import();
  EXPECT_TRUE(contains(scratch_.run({"hpc", "list"}).output, "imported"));
  EXPECT_TRUE(contains(scratch_.run({"hpc", "list", "--status", "imported"}).output, "x"));
  EXPECT_TRUE(contains(scratch_.run({"hpc", "show", "x"}).output, "imported"));
}

TEST_F(ImportLegacy, ValidatesByItsOwnProgram) {
  import();
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const evidence::Validation document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kPassed);
  ASSERT_TRUE(document.own_harness);
  EXPECT_EQ(document.own_harness->return_code, 0);
  EXPECT_EQ(document.own_harness->gflops, 200);
  EXPECT_TRUE(contains(document.header.logs.harness, "best_ms=1.5"));
  EXPECT_TRUE(contains(run.errors, "its own program")) << run.errors;
}

TEST_F(ImportLegacy, AProgramThatSaysNoIsExitOne) {
  scratch_.write_lab({{"fast", "", "echo check=failed; exit 1\n"}});
  import();
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(read(run).header.status, evidence::DocumentStatus::kFailed);
  EXPECT_TRUE(contains(run.errors, "exit code 1")) << run.errors;
}

TEST_F(ImportLegacy, AProgramThatHangsOrCrashesIsAnErrorInTheEvidence) {
  scratch_.write_lab({{"fast", "", "kill -SEGV $$\n"}});
  import();
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(read(run).header.status, evidence::DocumentStatus::kError);
  scratch_.write("kernels/prototypes/x/kernel.cu", "sleep 60\n");
  const Outcome late = validate({"--timeout", "1"});
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_TRUE(contains(read(late).header.error, "time limit")) << read(late).header.error;
}

TEST_F(ImportLegacy, ASourceThatDoesNotCompileIsExitOneWithoutEvidence) {
  scratch_.write_lab({{"fast", "", "", "sh -c 'echo line 3 is wrong; exit 1'"}});
  import();
  const Outcome run = validate();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.output, "");
  EXPECT_TRUE(contains(run.errors, "line 3 is wrong")) << run.errors;
  EXPECT_EQ(scratch_.entries("kernels/results"), 0);
}

TEST_F(ImportLegacy, ADryRunRunsNothing) {
  import();
  scratch_.set("PATH", "/nonexistent");
  const Outcome run = validate({"--dry-run"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(read(run).header.status, evidence::DocumentStatus::kPlanned);
}

TEST_F(ImportLegacy, WhatOnlyAStandardCandidateHasIsRefused) {
  import();
  EXPECT_EQ(validate({"--shape", "64x64x64"}).exit_code, 2);
  EXPECT_EQ(validate({"--quick"}).exit_code, 2);
  for (const char *verb : {"bench", "profile"}) {
    const Outcome run = scratch_.run({"hpc", verb, "--name", "x"});
    EXPECT_EQ(run.exit_code, 2) << verb;
    EXPECT_TRUE(contains(run.errors, "imported") && contains(run.errors, "pyc lab bench fast")) << run.errors;
  }
  const Outcome copy = scratch_.run({"hpc", "create", "gemm", "--from", "x", "--name", "y"});
  EXPECT_EQ(copy.exit_code, 2);
  EXPECT_TRUE(contains(copy.errors, "imported")) << copy.errors;
}

TEST_F(ImportLegacy, RefusesWhatItCannotImportAndLeavesNothing) {
  scratch_.write_lab({{"fast", "", "x", "true", ""}, {"away", "", "#include \"../away.h\"\n"}});
  scratch_.write("kernels/lab/away.h", "");
  EXPECT_TRUE(contains(import().errors, "no run_cmd"));
  EXPECT_EQ(import({"--manifest", "gone.json"}).exit_code, 2);
  for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
           {"--legacy-name", "nobody", "--name", "x", "--dtype", "fp32", "--arch", "sm90"},
           {"--legacy-name", "away", "--name", "x", "--dtype", "fp32", "--arch", "sm90"},
           {"--legacy-name", "away", "--name", "X", "--dtype", "fp32", "--arch", "sm90"},
           {"--legacy-name", "away", "--name", "x", "--dtype", "fp64", "--arch", "sm90"},
           {"--legacy-name", "away", "--name", "x", "--dtype", "fp32", "--arch", "sm75"},
           {"--legacy-name", "away", "--name", "x", "--dtype", "fp32"}}) {
    std::vector<std::string> line = {"hpc", "import-legacy"};
    line.insert(line.end(), words.begin(), words.end());
    EXPECT_EQ(scratch_.run(line).exit_code, 2) << words[3] << words.back();
  }
  scratch_.write_manifest("{");
  EXPECT_EQ(import().exit_code, 2);
  EXPECT_EQ(scratch_.entries("kernels/prototypes"), 0);
}

// A program in harness.cu that includes its kernel.cu: the copy would include itself.
TEST_F(ImportLegacy, AHeaderUnderTheNameOfACandidatesOwnFileIsRefused) {
  for (const char *name : {"kernel.cu", "harness.cu", "kernel.json"}) {
    scratch_.write_lab({{"fast", "", "#include \"" + std::string(name) + "\"\nint main() {}\n"}});
    scratch_.write("kernels/lab/prototypes/" + std::string(name), "\n");
    const Outcome run = import();
    EXPECT_EQ(run.exit_code, 2) << name;
    EXPECT_TRUE(contains(run.errors, "'" + std::string(name) + "'")) << run.errors;
  }
  EXPECT_EQ(scratch_.entries("kernels/prototypes"), 0);
}

TEST_F(ImportLegacy, NeverWritesOverACandidate) {
  scratch_.create("x");
  const std::string before = scratch_.read("kernels/prototypes/x/kernel.json");
  EXPECT_EQ(import().exit_code, 2);
  EXPECT_EQ(scratch_.read("kernels/prototypes/x/kernel.json"), before);
}

TEST_F(ImportLegacy, PromoteRefusesIt) {
  import();
  const std::string validation = validate().line();
  scratch_.create("standard");
  const Outcome bench = scratch_.run({"hpc", "bench", "--name", "standard", "--shape", "1024x1024x1024"});
  const Outcome run = scratch_.run({"hpc", "promote", "--name", "x", "--validation-result", validation,
                                    "--benchmark-result", bench.line(), "--bootstrap"});
  EXPECT_NE(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output + run.errors, "the candidate is imported; only standard ones are promoted"))
      << run.output << run.errors;
}

}  // namespace
}  // namespace pyc::cli::test
