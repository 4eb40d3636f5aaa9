#include "hpc/profile_command.h"

#include <gtest/gtest.h>

namespace pyc::hpc {
namespace {

using Words = std::vector<std::string>;

const PlaceholderValues kValues = {"x", "/w/x/kernel.cu", "/w/x", {"/b/x", "--shape", "64x64x64"}};

Words expand(const std::string &command) {
  const auto words = split_profiler_command(command);
  EXPECT_TRUE(words) << command;
  return words ? fill_in(*words, kValues) : Words{};
}

std::string refusal(const std::string &command) {
  const auto words = split_profiler_command(command);
  return words ? "accepted" : words.error().message + "; " + words.error().hint;
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST(ProfileCommand, TheBinaryBringsTheWordsThatLaunchTheKernelOnce) {
  EXPECT_EQ(expand("ncu --set full {binary}"), (Words{"ncu", "--set", "full", "/b/x", "--shape", "64x64x64"}));
}

TEST(ProfileCommand, InsideAWordTheBinaryIsItsPath) {
  EXPECT_EQ(expand("p --app={binary} -o {name}.{name}"), (Words{"p", "--app=/b/x", "-o", "x.x"}));
  EXPECT_EQ(expand("p {source} {candidate_dir}/out"), (Words{"p", "/w/x/kernel.cu", "/w/x/out"}));
}

TEST(ProfileCommand, NoShellReadsIt) {
  EXPECT_EQ(expand("p '$HOME *;' \"a b\" c\\ d"), (Words{"p", "$HOME *;", "a b", "c d"}));
  EXPECT_EQ(expand("p 'regex:a{2}' {} }"), (Words{"p", "regex:a{2}", "{}", "}"}));
}

TEST(ProfileCommand, RefusesWhatItCannotExpand) {
  EXPECT_TRUE(contains(refusal("ncu {binry}"), "'{binry}'"));
  EXPECT_TRUE(contains(refusal("ncu {binry}"), "did you mean 'binary'?"));
  EXPECT_TRUE(contains(refusal("ncu {binary"), "not closed"));
  EXPECT_TRUE(contains(refusal("ncu 'open"), "quote open"));
  EXPECT_TRUE(contains(refusal("  "), "names no program"));
  EXPECT_TRUE(contains(refusal("''"), "names no program"));
}

}  // namespace
}  // namespace pyc::hpc
