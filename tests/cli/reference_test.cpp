// docs/reference/command-line.md, the manual pages and the tables of src/cli say the same.
#include "cli/reference.h"

#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "base/process.h"
#include "base/text.h"
#include "cli/command_tree.h"
#include "cli/environment.h"
#include "cli/exit_codes.h"
#include "hpc/choices.h"
#include "hpc/verbs.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

TEST(Reference, ThePageInDocsIsCurrent) {
  const std::string page = pyc::test::slurp(PYC_SOURCE_FOLDER "/docs/reference/command-line.md");
  EXPECT_TRUE(page == markdown_reference())
      << "out of date: run 'pyc reference markdown > docs/reference/command-line.md'";
}

void expect_row(const std::string &key, const std::string &text) {
  const std::string row = "| `" + key + "` | " + text + " |";
  EXPECT_NE(markdown_reference().find(row), std::string::npos) << "missing: " << row;
}

TEST(Reference, HasEveryRowOfEveryTable) {
  for (const Verb &verb : verbs()) {
    expect_row(std::string("pyc ") + verb.group + " " + verb.name, verb.summary);
    for (const Flag &flag : flags_of(verb))
      expect_row(flag.is_switch() ? flag.name : std::string(flag.name) + " " + flag.value, flag.help);
  }
  for (const ExitCodeRow &row : exit_code_rows()) expect_row(std::to_string(row.code), row.meaning);
  for (const EnvironmentVariable &variable : environment_variables()) expect_row(variable.name, variable.meaning);
  for (const hpc::ListStatus &status : hpc::list_statuses()) expect_row(status.name, status.meaning);
}

// A flag's help may name the words that it takes; then it names them all.
TEST(Reference, HelpNamesEveryWordThatAFlagTakes) {
  for (const Verb &verb : verbs()) {
    for (const Flag &flag : verb.flags) {
      if (flag.is_switch() || std::string_view(verb.group) != "hpc") continue;
      const std::vector<std::string> choices = hpc::choices_of(flag.value);
      const bool names_them = !choices.empty() && contains(flag.help, choices.front());
      for (const std::string &choice : choices)
        EXPECT_TRUE(!names_them || choices.size() > 16 || contains(flag.help, choice)) << flag.name << " " << choice;
    }
  }
}

TEST(RegistryPage, NamesEveryFieldOfTheRegistry) {
  const std::string page = pyc::test::slurp(PYC_SOURCE_FOLDER "/docs/reference/registry.md") +
                           pyc::test::slurp(PYC_SOURCE_FOLDER "/docs/reference/kernel-json.md");
  const std::string registry = pyc::test::slurp(PYC_SOURCE_FOLDER "/kernels/registry/kernels.json");
  const std::regex key("\"([a-z_0-9]+)\":");
  for (std::sregex_iterator match(registry.begin(), registry.end(), key), end; match != end; ++match)
    EXPECT_TRUE(contains(page, "`" + match->str(1) + "`")) << match->str(1);
}

// The first group of each match in the file, which is named from the root of the sources.
std::set<std::string> matches(const std::string &file, const char *pattern) {
  const std::string text = pyc::test::slurp(std::string(PYC_SOURCE_FOLDER "/") + file);
  const std::regex wanted(pattern);
  return {std::sregex_token_iterator(text.begin(), text.end(), wanted, 1), std::sregex_token_iterator()};
}

TEST(BuildOptionsPage, NamesEveryOptionOfTheBuild) {
  const std::string page = pyc::test::slurp(PYC_SOURCE_FOLDER "/docs/reference/build-options.md");
  std::set<std::string> options;
  for (const char *file :
       {"CMakeLists.txt", "cmake/PycCutlass.cmake", "src/cli/CMakeLists.txt", "examples/c/CMakeLists.txt"}) {
    options.merge(matches(file, R"(option\((PYC_\w+))"));
    options.merge(matches(file, R"(set\((PYC_\w+) [^)]*CACHE)"));
  }
  EXPECT_GE(options.size(), 9u);
  for (const std::string &option : options) EXPECT_TRUE(contains(page, "`" + option + "`")) << option;
}

TEST(GpuTestingPlaybook, NamesEveryTestThatNeedsAGpu) {
  const std::string page = pyc::test::slurp(PYC_SOURCE_FOLDER "/docs/compiler-next/gpu-testing-playbook.md");
  std::set<std::string> tests;
  for (const char *folder :
       {"", "adversarial/", "adversarial/speed/", "cli/", "harness/", "lab/", "python/", "runtime/"}) {
    const std::string file = std::string("tests/") + folder + "CMakeLists.txt";
    for (const std::string &names : matches(file, R"(set_tests_properties\(([\w ]+) PROPERTIES\s+LABELS gpu)"))
      for (const std::string &name : split(names, ' ')) tests.insert(name);
  }
  EXPECT_GE(tests.size(), 11u);
  for (const std::string &test : tests) EXPECT_TRUE(contains(page, "`" + test + "`")) << test;
}

TEST(Manual, HasAPageForEveryVerbAndOneForAll) {
  const Scratch scratch;
  const Outcome run = scratch.run({"reference", "man", "--folder", "man1"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(scratch.entries("man1"), static_cast<int>(verbs().size()) + 1);
  for (const Verb &verb : verbs()) {
    std::string name = "pyc";
    for (const std::string &word : words_of(verb)) name += "-" + word;
    EXPECT_TRUE(contains(run.output, "man1/" + name + ".1\n")) << name;
  }
}

TEST(Manual, IsWhatTroffCanRead) {
  if (!find_program("groff", "/usr/bin:/bin")) GTEST_SKIP() << "no groff here";
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"reference", "man", "--folder", "man1"}).exit_code, 0);
  const Outcome run = scratch.shell("for page in man1/*; do groff -man -Tutf8 -ww -z $page || exit 1; done");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.errors, "");
  const Outcome page =
      scratch.shell("groff -man -Tascii -P-c man1/pyc-hpc-profile.1 | sed 's/.\\x08//g' | tr -s '[:space:]' ' '");
  for (const char *part : {"run it once under a profiler", "--command WORDS", "{candidate_dir}", "EXIT STATUS"})
    EXPECT_TRUE(contains(page.output, part)) << part << "\n" << page.output;
}

}  // namespace
}  // namespace pyc::cli::test
