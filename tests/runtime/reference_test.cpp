// docs/reference and docs/compiler-next say what the runtime's tables say.
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "compiler/runtime/names.h"
#include "compiler/runtime/settings.h"
#include "pyc/gemm.h"

namespace {

using namespace pyc::runtime;

std::string read(const std::string &path) {
  std::ifstream file(std::string(PYC_SOURCE_FOLDER "/") + path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(file) << path;
  return text.str();
}

std::string section(const std::string &text, const std::string &title) {
  const size_t begin = text.find(std::string("## ").append(title).append("\n"));
  EXPECT_NE(begin, std::string::npos) << title;
  return begin == std::string::npos ? "" : text.substr(begin, text.find("\n## ", begin) - begin);
}

// The rows of a section's table whose first cell matches, as they stand there.
std::set<std::string> rows(const std::string &text, const std::string &first_cell) {
  const std::regex row(std::string("\\| ").append(first_cell).append(" \\|[^\n]*"));
  return {std::sregex_token_iterator(text.begin(), text.end(), row), std::sregex_token_iterator()};
}

TEST(Reference, EnvironmentHasEveryVariableOfTheTableAndNoOther) {
  std::set<std::string> expected;
  for (const Variable &v : environment_variables()) {
    expected.insert(std::string("| `") + v.name + "` | " + v.accepted + " | " + v.meaning + " |");
  }
  EXPECT_EQ(rows(section(read("docs/reference/environment.md"), "The runtime library"), "`PYC_[A-Z_0-9]+`"), expected);
}

// The names of the values come from the header, in its order.
std::set<std::string> enumeration_rows(const std::string &header, const std::string &prefix,
                                       const char *(*sentence)(int32_t)) {
  const std::string source = read(std::string("include/pyc/").append(header));
  const std::regex value(std::string("(").append(prefix).append("[A-Z0-9_]+) = (\\d+)"));
  std::set<std::string> all;
  for (std::sregex_iterator match(source.begin(), source.end(), value), end; match != end; ++match) {
    std::ostringstream row;
    row << "| " << match->str(2) << " | `" << match->str(1) << "` | " << sentence(std::stoi(match->str(2))) << " |";
    all.insert(row.str());
  }
  return all;
}

TEST(Reference, RuntimeApiHasEveryStatusAndReason) {
  const std::string api = read("docs/reference/runtime-api.md");
  EXPECT_EQ(rows(section(api, "Statuses"), "\\d+"), enumeration_rows("status.h", "PYC_STATUS_", status_string));
  const auto reasons = enumeration_rows("gemm.h", "PYC_REASON_(?!COUNT)", reason_string);
  EXPECT_EQ(reasons.size(), size_t(PYC_REASON_COUNT));
  EXPECT_EQ(rows(section(api, "Rungs and reasons"), "\\d+"), reasons);
}

TEST(Reference, RuntimeApiNamesEveryFunctionOfTheHeader) {
  const std::string header = read("include/pyc/gemm.h"), api = read("docs/reference/runtime-api.md");
  const std::regex function(R"(PYC_API [^;(]*\b(pyc_\w+)\()");
  int count = 0;
  for (std::sregex_iterator match(header.begin(), header.end(), function), end; match != end; ++match, ++count) {
    EXPECT_NE(api.find(std::string("`").append(match->str(1)).append("`")), std::string::npos) << match->str(1);
  }
  EXPECT_GT(count, 15);
}

}  // namespace
