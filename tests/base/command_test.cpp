#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/process.h"
#include "base/text.h"
#include "tests/base/temporary_folder.h"

namespace {

using Words = std::vector<std::string>;
using pyc::test::TemporaryFolder;

TEST(SplitCommand, FollowsTheShell) {
  EXPECT_EQ(pyc::split_command("  ncu --set full  "), (Words{"ncu", "--set", "full"}));
  EXPECT_EQ(pyc::split_command("a 'b c' \"d e\" f\\ g"), (Words{"a", "b c", "d e", "f g"}));
  EXPECT_EQ(pyc::split_command(R"("a\"b\$c\d" 'e\f')"), (Words{"a\"b$c\\d", "e\\f"}));
  EXPECT_EQ(pyc::split_command("a''b '' \"\""), (Words{"ab", "", ""}));
  EXPECT_EQ(pyc::split_command("a\\\nb \\\n c"), (Words{"ab", "c"}));
  EXPECT_EQ(pyc::split_command(" \n"), Words{});
}

TEST(SplitCommand, RefusesWhatIsLeftOpen) {
  for (const char *open : {"'a", "a \"b", "a\\", "\"a\\\""}) EXPECT_FALSE(pyc::split_command(open)) << open;
}

TEST(QuoteCommand, LeavesPlainWordsPlain) {
  EXPECT_EQ(pyc::quote_command({"nvcc", "-gencode", "arch=compute_90a,code=sm_90a"}),
            "nvcc -gencode arch=compute_90a,code=sm_90a");
  EXPECT_EQ(pyc::quote_command({"", "it's", "$x"}), "'' 'it'\\''s' '$x'");
}

TEST(QuoteCommand, IsUndoneBySplitCommand) {
  EXPECT_TRUE(rc::check([](const Words &words) { RC_ASSERT(pyc::split_command(pyc::quote_command(words)) == words); }));
}

TEST(QuoteCommand, IsUndoneByARealShell) {
  const Words words = {"a b", "it's", "", "$HOME `id` \\ \" *", "line\nbreak"};
  pyc::ProcessOptions options;
  options.argv = {"sh", "-c", "printf '%s|' " + pyc::quote_command(words)};
  EXPECT_EQ(pyc::run_process(options).value().standard_output, pyc::join(words, "|") + "|");
}

TEST(FindProgram, TakesTheFirstExecutableFileOfThePath) {
  const TemporaryFolder folder;
  folder.write("a/tool", "not executable");
  std::filesystem::create_directories(folder / "b/tool");
  const auto expected = folder.write_program("c/tool", "true");
  folder.write_program("d/tool", "true");
  std::string path = "/nonexistent";
  for (const char *name : {"a", "b", "c", "d"}) path.append(":").append(folder / name);
  EXPECT_EQ(pyc::find_program("tool", path), expected);
}

TEST(FindProgram, ANameWithASlashIsNotSearchedFor) {
  const TemporaryFolder folder;
  const auto tool = folder.write_program("bin/tool", "true");
  EXPECT_EQ(pyc::find_program(tool.string(), ""), tool);
  EXPECT_FALSE(pyc::find_program("bin/tool", folder.path().string()));
}

TEST(FindProgram, FindsNothingForNothing) {
  EXPECT_FALSE(pyc::find_program("", "/bin"));
  EXPECT_FALSE(pyc::find_program("surely-no-such-program", "/bin:/usr/bin"));
}

}  // namespace
