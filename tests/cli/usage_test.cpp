#include <gtest/gtest.h>

#include "cli/command_tree.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

TEST(Usage, VersionNamesTheToolAndNothingElse) {
  const Outcome run = Scratch().run({"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.line().rfind("pyc 0.", 0), 0u) << run.output;
  EXPECT_EQ(run.errors, "");
}

TEST(Usage, HelpLeadsWithAnExample) {
  const Scratch scratch;
  for (const std::vector<std::string> &words :
       std::vector<std::vector<std::string>>{{"--help"}, {"hpc", "--help"}, {"hpc", "validate", "--help"}}) {
    const Outcome run = scratch.run(words);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.output.rfind("Example:\n  ", 0), 0u) << run.output;
  }
}

TEST(Usage, HelpNeedsNoWorkspaceAndNoRequiredFlag) {
  const Outcome run = Scratch().run({"hpc", "bench", "--help", "--workspace", "/nonexistent"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.output, "--against NAME"));
}

TEST(Usage, WhatOtherToolsCallHelpIsHelp) {
  const Scratch scratch;
  const std::string help = scratch.run({"hpc", "bench", "--help"}).output;
  EXPECT_EQ(scratch.run({"hpc", "bench", "-h"}).output, help);
  EXPECT_EQ(scratch.run({"help", "hpc", "bench"}).output, help);
  EXPECT_EQ(scratch.run({"hpc", "help", "bench"}).output, help);
  EXPECT_EQ(scratch.run({"hpc", "help"}).output, scratch.run({"hpc", "--help"}).output);
  EXPECT_EQ(scratch.run({"help"}).output, scratch.run({"--help"}).output);
}

TEST(Usage, HelpOfEveryVerbLeadsWithItsExample) {
  const Scratch scratch;
  for (const Verb &verb : verbs()) {
    std::vector<std::string> words = words_of(verb);
    words.emplace_back("--help");
    const Outcome run = scratch.run(words);
    EXPECT_EQ(run.exit_code, 0) << verb.name;
    EXPECT_EQ(run.output.rfind(std::string("Example:\n  ") + verb.example + "\n", 0), 0u) << run.output;
  }
}

TEST(Usage, HalfAVerbThatCanBeOneOnlyHasItsHelp) {
  const Scratch scratch;
  EXPECT_EQ(scratch.run({"hpc", "create", "--help"}).output, scratch.run({"hpc", "create", "gemm", "--help"}).output);
}

TEST(Usage, WithoutAVerbItSaysWhichThereAre) {
  const Outcome run = Scratch().run({"hpc"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_TRUE(contains(run.errors, "validate")) << run.errors;
}

struct Mistake {
  std::vector<std::string> words;
  std::string error, hint;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreRefusedWithTheLiteralAndARemedy) {
  const Outcome run = Scratch().run(GetParam().words);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_TRUE(contains(run.errors, "error: ")) << run.errors;
  EXPECT_TRUE(contains(run.errors, GetParam().error)) << run.errors;
  EXPECT_TRUE(contains(run.errors, "\n\nhint: ")) << run.errors;
  EXPECT_TRUE(contains(run.errors, GetParam().hint)) << run.errors;
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, Mistakes,
    testing::Values(Mistake{{"hpx", "list"}, "'hpx'", "did you mean 'hpc'?"},
                    Mistake{{"hpc", "validte"}, "'validte'", "did you mean 'validate'?"},
                    Mistake{{"hpc", "create", "gem"}, "'gem'", "did you mean 'gemm'?"},
                    Mistake{{"hpc", "validate", "--nam", "x"}, "'--nam'", "did you mean '--name'?"},
                    Mistake{{"doctor"}, "'doctor'", "'pyc hpc doctor'"},
                    Mistake{{"validte"}, "'validte'", "'pyc hpc validate'"},
                    Mistake{{"hpc", "bash"}, "'bash'", "'pyc completions bash'"},
                    Mistake{{"hpc", "create", "--name", "x"}, "needs a verb", "gemm"},
                    Mistake{{"hpc", "validate", "--name", "x", "--repeats", "9"}, "'--repeats'", "'pyc hpc bench'"},
                    Mistake{{"hpc", "list", "--bogus=1"}, "'--bogus'", "--help"},
                    Mistake{{"hpc", "validate"}, "needs --name", "for example"},
                    Mistake{{"hpc", "validate", "--name"}, "--name needs a value", "--help"},
                    Mistake{{"hpc", "list", "extra"}, "'extra'", "--help"},
                    Mistake{{"hpc", "validate", "first_v1"}, "'first_v1'", "did you mean '--name first_v1'?"},
                    Mistake{{"hpc", "validate", "--name", "x", "extra"}, "'extra'", "--help"},
                    Mistake{{"hpc", "validate", "--name", "a", "--name", "b"}, "--name is given 2 times", "once"},
                    Mistake{{"hpc", "list", "--color", "alwys"}, "'alwys'", "always"},
                    Mistake{{"lab", "task-create", "t", "--target-tflops-min", "-1"}, "'-1'", "decimal"},
                    Mistake{{"hpc", "list", "--status", "validted"}, "'validted'", "validated"},
                    Mistake{{"hpc", "validate", "--name", "x", "--shape", "12x0x4"}, "'12x0x4'", "MxNxK"},
                    Mistake{{"hpc", "list", "--workspace", "/nonexistent"}, "'/nonexistent'", "checkout"}));

TEST(Usage, AnEmptyValueIsNotTheDefault) {
  const Scratch scratch;
  for (const std::vector<std::string> &words :
       std::vector<std::vector<std::string>>{{"hpc", "list", "--arch", ""},
                                             {"hpc", "list", "--status", ""},
                                             {"hpc", "create", "gemm", "--name", "x", "--layout", ""},
                                             {"hpc", "tune", "gemm", "--name", "x", "--dry-run", "--template", ""},
                                             {"hpc", "list", "--workspace", ""}}) {
    const Outcome run = scratch.run(words);
    EXPECT_EQ(run.exit_code, 2) << words.back();
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(contains(run.errors, "'' is empty\n\nhint: ")) << run.errors;
  }
  EXPECT_EQ(scratch.entries("kernels/prototypes"), 0);
  EXPECT_EQ(scratch.entries("kernels/results"), 0);
}

TEST(Usage, AControlCharacterInAPathIsEscaped) {
  const Outcome run = Scratch().run({"hpc", "compare", "a\x1b[31m", "b"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_FALSE(contains(run.errors, "\x1b")) << run.errors;
}

TEST(Usage, AControlCharacterInTheNameOfABrokenFileIsEscaped) {
  const Scratch scratch;
  const std::string name = "a\x1b[31m";
  for (const std::string text : {"", "{", R"({"schema": "pyc.evidence/1", "kind": 5, "seal": ""})"}) {
    scratch.write(name, text);
    const Outcome run = scratch.run({"hpc", "compare", name, name});
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_TRUE(contains(run.errors, "'a\\x1b[31m'")) << run.errors;
    EXPECT_FALSE(contains(run.errors, "\x1b")) << run.errors;
  }
  EXPECT_FALSE(contains(scratch.run({"hpc", "compare", "a\x1b[31", name}).errors, "\x1b"));
}

TEST(Usage, AFileInPlaceOfAFolderHasARemedy) {
  const Scratch scratch;
  scratch.write("plain", "x");
  const Outcome run = scratch.run({"reference", "man", "--folder", "plain"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "'plain'")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "\n\nhint: a file stands where a folder is needed")) << run.errors;
}

class BadNumbers : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(BadNumbers, AreRefusedWithWhatWasExpected) {
  Scratch scratch;
  scratch.create("x");
  std::vector<std::string> words = {"hpc", "bench", "--name", "x", "--dry-run"};
  words.insert(words.end(), GetParam().begin(), GetParam().end());
  const Outcome run = scratch.run(words);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, GetParam().front() + " '" + GetParam().back() + "' is not a whole number"))
      << run.errors;
  EXPECT_EQ(scratch.entries("kernels/results"), 0);
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, BadNumbers,
    testing::Values(std::vector<std::string>{"--repeats", "0"}, std::vector<std::string>{"--repeats", "many"},
                    std::vector<std::string>{"--max-repeats", "0"}, std::vector<std::string>{"--max-time", "-1"},
                    std::vector<std::string>{"--warmup", "-1"}, std::vector<std::string>{"--seed", "1e3"},
                    std::vector<std::string>{"--timeout", "99999999999999999999"}));

TEST(Usage, ANumberThatIsTooLargeIsNotCalledTooSmall) {
  Scratch scratch;
  scratch.create("x");
  const Outcome run = scratch.run({"hpc", "validate", "--name", "x", "--dry-run", "--seed", "18446744073709551615"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "is not a whole number from 0 to 2^63 - 1")) << run.errors;
}

TEST(Usage, OutsideOfAWorkspaceItSaysHowToNameOne) {
  const pyc::test::TemporaryFolder elsewhere;
  const Outcome run = Scratch().shell("cd '" + elsewhere.path().string() + "' && pyc hpc list");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "PYC_WORKSPACE")) << run.errors;
}

TEST(Usage, TheWorkspaceMayComeFromTheEnvironment) {
  Scratch scratch;
  scratch.create("x");
  const Outcome run = scratch.shell("cd / && PYC_WORKSPACE='" + scratch.root().string() + "' pyc hpc list");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "gemm/fp32/nn/square"));
}

TEST(Usage, AnErrorIsOneJsonDocumentIfJsonWasAskedFor) {
  const Outcome run = Scratch().run({"hpc", "show", "nobody", "--json"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.output, "\"kind\": \"invalid\"")) << run.output;
  EXPECT_TRUE(contains(run.output, "'nobody'")) << run.output;
}

TEST(Usage, ColourComesOnlyWhereItIsAskedForOrATerminalIs) {
  const Scratch scratch;
  EXPECT_FALSE(contains(scratch.run({"hpc", "show", "nobody"}).errors, "\033["));
  EXPECT_TRUE(contains(scratch.run({"hpc", "show", "nobody", "--color", "always"}).errors, "\033["));
  EXPECT_FALSE(contains(scratch.run({"hpc", "show", "nobody", "--color", "never"}).errors, "\033["));
}

TEST(Usage, OnOneTerminalTheAnswerComesBeforeWhatIsSaidOfIt) {
  const Scratch scratch;
  scratch.create("alpha");
  const std::string both = scratch.shell("pyc hpc show alpha 2>&1").output;
  EXPECT_LT(both.find("pyc_gemm_alpha"), both.find("next: pyc hpc validate --name alpha")) << both;
  EXPECT_NE(both.find("next: "), std::string::npos) << both;
}

TEST(Usage, AFullDiskUnderStderrChangesNothingButTheMessage) {
  const Outcome run = Scratch().shell("pyc hpc show nobody --json 2> /dev/full");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.output, "'nobody'")) << run.output;
}

TEST(Usage, AFolderThatWasRemovedIsNamedAsTheTrouble) {
  const Outcome run = Scratch().shell("mkdir gone && cd gone && rmdir ../gone && pyc hpc list");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "the current folder does not exist")) << run.errors;
}

TEST(Usage, AFullDiskUnderStdoutIsAnErrorAndNotSilence) {
  const Outcome run = Scratch().shell("pyc --version > /dev/full");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "stdout")) << run.errors;
}

}  // namespace
}  // namespace pyc::cli::test
