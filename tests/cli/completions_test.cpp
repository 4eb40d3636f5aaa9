#include <gtest/gtest.h>

#include "base/process.h"
#include "cli/command_tree.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

// A scratch workspace with candidates, and the scripts beside it; each shell completes as a user's would.
class Completions : public testing::Test {
 protected:
  void SetUp() override {
    for (const char *name : {"alpha", "alphabet", "beta"}) scratch_.create(name);
    for (const char *shell : {"bash", "zsh", "fish"}) {
      const Outcome script = scratch_.run({"completions", shell});
      ASSERT_EQ(script.exit_code, 0) << script.errors;
      scratch_.write(std::string("pyc.") + shell, script.output);
    }
    scratch_.shell("mkdir programs && ln -s \"$PYC\" programs/pyc");
  }
  static bool has(const char *shell) { return find_program(shell, "/usr/bin:/bin:/usr/local/bin").has_value(); }

  // What bash offers for the last of these words, each on a line of its own.
  std::string in_bash(const std::string &words) {
    return scratch_
        .shell("PATH=$PWD/programs:$PATH exec bash -c '. ./pyc.bash; compopt() { :; }; COMP_WORDS=(" + words +
               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _pyc; printf \"%s\\n\" \"${COMPREPLY[@]}\"'")
        .output;
  }
  std::string in_fish(const std::string &line) {
    const Outcome run = scratch_.shell(
        "HOME=$PWD PATH=$PWD/programs:$PATH exec fish --no-config -c '. ./pyc.fish; "
        "complete -C \"" +
        line + "\"'");
    return "\n" + run.output + run.errors;
  }

  Scratch scratch_;
};

TEST_F(Completions, BashKnowsGroupsVerbsAndFlags) {
  EXPECT_EQ(in_bash("pyc h"), "hpc\n");
  EXPECT_EQ(in_bash("pyc hpc val"), "validate\n");
  EXPECT_EQ(in_bash("pyc hpc create \"\""), "gemm\n--help\n");
  EXPECT_EQ(in_bash("pyc hpc validate --sa"), "--sanitize\n");
  EXPECT_EQ(in_bash("pyc hpc bench --name alpha --max-t"), "--max-time\n");
}

TEST_F(Completions, BashKnowsValues) {
  EXPECT_EQ(in_bash("pyc hpc create gemm --arch \"\""), "sm89\nsm90\n");
  EXPECT_EQ(in_bash("pyc hpc list --status prom"), "promoted\n");
  EXPECT_EQ(in_bash("pyc hpc list --color al"), "always\n");
  EXPECT_EQ(in_bash("pyc hpc validate --name alph"), "alpha\nalphabet\n");
  EXPECT_EQ(in_bash("pyc hpc create gemm --from b"), "beta\n");
  EXPECT_EQ(in_bash("pyc hpc create gemm --name alph"), "\n") << "a new name is not completed to an old one";
  EXPECT_EQ(in_bash("pyc hpc show bet"), "beta\n");
  EXPECT_EQ(in_bash("pyc hpc show --jso"), "--json\n");
  EXPECT_EQ(in_bash("pyc hpc compare kernels/regi"), "kernels/registry\n");
  EXPECT_EQ(in_bash("pyc hpc promote --validation-result kernels/regi"), "kernels/registry\n");
}

TEST_F(Completions, FishKnowsVerbsFlagsAndValues) {
  if (!has("fish")) GTEST_SKIP() << "no fish here";
  EXPECT_TRUE(contains(in_fish("pyc hpc val"), "\nvalidate\tcheck the results")) << in_fish("pyc hpc val");
  EXPECT_TRUE(contains(in_fish("pyc hpc validate --sa"), "\n--sanitize\t")) << in_fish("pyc hpc validate --sa");
  EXPECT_TRUE(contains(in_fish("pyc hpc create gemm --arch "), "\nsm89")) << in_fish("pyc hpc create gemm --arch ");
  EXPECT_TRUE(contains(in_fish("pyc hpc validate --name al"), "\nalphabet"));
}

// zsh completes through its line editor, so one is started on a terminal of its own and a tab is typed.
TEST_F(Completions, ZshKnowsVerbsFlagsAndValues) {
  if (!has("zsh")) GTEST_SKIP() << "no zsh here";
  scratch_.write("zsh_test",
                 "zmodload zsh/zpty\n"
                 "zpty z \"cd '$PWD'; PATH='$PWD/programs:$PATH' PS1= zsh -f -i\"\n"
                 "zpty -w z \"autoload -U compinit; compinit -u -d '$PWD/zcompdump'; . ./pyc.zsh; echo READY''NOW\"\n"
                 "until [[ $out = *READYNOW* ]]; do zpty -r z line || break; out+=$line; done\n"
                 "zpty -w -n z \"$1\"$'\\t'\n"
                 "for i in {1..60}; do zpty -r -t z part && seen+=$part; sleep 0.05; done\n"
                 "print -r -- $seen\n");
  const auto typed = [&](const std::string &line) {
    return scratch_.shell("HOME=$PWD exec timeout 30 zsh -f zsh_test '" + line + "'").output;
  };
  EXPECT_TRUE(contains(typed("pyc hpc val"), "validate")) << typed("pyc hpc val");
  EXPECT_TRUE(contains(typed("pyc hpc validate --sa"), "--sanitize"));
  EXPECT_TRUE(contains(typed("pyc hpc validate --name be"), "beta"));
}

TEST_F(Completions, EveryShellReadsItsScriptWithoutComplaint) {
  for (const char *shell : {"bash", "zsh", "fish"}) {
    if (!has(shell)) continue;
    const Outcome run = scratch_.shell(std::string(shell) + " -n pyc." + shell);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(run.errors, "") << shell;
  }
}

TEST_F(Completions, EveryVerbAndFlagIsInEveryScript) {
  for (const char *shell : {"bash", "zsh", "fish"}) {
    const std::string script = pyc::test::slurp(scratch_ / (std::string("pyc.") + shell));
    for (const Verb &verb : verbs()) {
      for (const Flag &flag : flags_of(verb)) {
        const std::string name = std::string(shell) == "fish" ? "-l " + std::string(flag.name).substr(2) : flag.name;
        EXPECT_TRUE(contains(script, name)) << shell << ": " << verb.name << " " << flag.name;
      }
    }
  }
}

}  // namespace
}  // namespace pyc::cli::test
