// docs/reference/command-line.md and the tables of src/cli say the same.
#include <gtest/gtest.h>

#include "cli/environment.h"
#include "cli/exit_codes.h"
#include "cli/verb.h"
#include "hpc/verbs.h"
#include "tests/base/temporary_folder.h"

namespace pyc::cli::test {
namespace {

std::string page() { return pyc::test::slurp(PYC_SOURCE_FOLDER "/docs/reference/command-line.md"); }

void expect_row(const std::string &key, const std::string &text) {
  const std::string row = "| `" + key + "` | " + text + " |";
  EXPECT_NE(page().find(row), std::string::npos) << "missing: " << row;
}

std::string usage(const Flag &flag) {
  return flag.is_switch() ? std::string(flag.name) : std::string(flag.name) + " " + flag.value;
}

TEST(Reference, HasEveryVerbWithItsSummary) {
  for (const Verb &verb : verbs()) expect_row(std::string("pyc ") + verb.group + " " + verb.name, verb.summary);
}

TEST(Reference, HasEveryFlagWithItsHelp) {
  for (const Flag &flag : common_flags()) expect_row(usage(flag), flag.help);
  for (const Verb &verb : verbs()) {
    for (const Flag &flag : verb.flags) expect_row(usage(flag), flag.help);
  }
}

TEST(Reference, HasEveryExitCode) {
  for (const ExitCodeRow &row : exit_code_rows()) expect_row(std::to_string(row.code), row.meaning);
}

TEST(Reference, HasEveryEnvironmentVariable) {
  for (const EnvironmentVariable &variable : environment_variables()) expect_row(variable.name, variable.meaning);
}

TEST(Reference, HasEveryStatusOfList) {
  for (const hpc::ListStatus &status : hpc::list_statuses()) expect_row(status.name, status.meaning);
}

TEST(Reference, HelpOfListNamesEveryStatus) {
  std::string help;
  for (const Verb &verb : verbs()) {
    for (const Flag &flag : verb.flags) {
      if (std::string(flag.name) == "--status") help = flag.help;
    }
  }
  for (const hpc::ListStatus &status : hpc::list_statuses()) {
    EXPECT_NE(help.find(status.name), std::string::npos) << status.name;
  }
}

}  // namespace
}  // namespace pyc::cli::test
