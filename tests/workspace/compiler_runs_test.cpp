#include "workspace/compiler_runs.h"

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"

namespace pyc::workspace {
namespace {

using std::chrono::milliseconds;

CompilerRun shell(const std::string &script) { return {"kernel.cu", "does not compile", {"sh", "-c", script}}; }

Result<std::string> run(const std::vector<CompilerRun> &runs, milliseconds limit = milliseconds(20000)) {
  const pyc::test::TemporaryFolder folder;
  return run_compilers(runs, folder.path(), limit, [](int) {});
}

TEST(CompilerRuns, GiveBothStreamsInTheOrderOfTheRuns) {
  const auto log = run({shell("sleep 0.2; echo first; echo warning >&2"), shell("echo second")});
  ASSERT_TRUE(log) << log.error().message;
  const std::size_t first = log->find("first\nwarning\n"), second = log->find("\nsecond\n");
  EXPECT_NE(first, log->npos) << *log;
  EXPECT_NE(second, log->npos) << *log;
  EXPECT_LT(first, second);
}

TEST(CompilerRuns, ARefusalCarriesTheWholeOutput) {
  const auto log =
      run({shell("i=0; while [ $i -lt 2000 ]; do echo kernel.cu: error $i >&2; i=$((i+1)); done; exit 2")});
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().kind, ErrorKind::kNo);
  EXPECT_NE(log.error().message.find("'kernel.cu' does not compile"), std::string::npos);
  for (const char *line : {"error 0\n", "error 1000\n", "error 1999\n"}) {
    EXPECT_NE(log.error().message.find(line), std::string::npos) << line;
  }
}

TEST(CompilerRuns, TheHintOfARefusalCanBePastedAfterTheStagedFolderIsGone) {
  const auto refused = [](std::vector<std::string> words) {
    words.insert(words.begin(), "/bin/false");
    const auto log = run({{"kernel.cu", "does not compile", std::move(words)}});
    EXPECT_FALSE(log);
    return log ? std::string() : log.error().hint;
  };
  const std::string compile = refused({"-I", "include", "-c", "kernel.cu", "-o", "/w/.x.staged-1/kernel.o"});
  EXPECT_EQ(compile.find("staged"), std::string::npos) << compile;
  EXPECT_NE(compile.find("/bin/false -I include -c kernel.cu -o /dev/null"), std::string::npos) << compile;
  EXPECT_EQ(compile.rfind("see it again: cd ", 0), 0u) << compile;
  const std::string link = refused({"/w/.x.staged-1/kernel.o", "-o", "/w/.x.staged-1/x"});
  EXPECT_EQ(link.find("staged"), std::string::npos) << link;
  EXPECT_FALSE(link.empty());
}

TEST(CompilerRuns, AKilledCompilerIsNotARefusal) {
  for (const char *script :
       {"kill -9 $$", "echo \"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\" >&2; exit 9",
        "sh -c 'kill -9 $$'; exit 137"}) {
    const auto log = run({shell(script)});
    ASSERT_FALSE(log) << script;
    EXPECT_EQ(log.error().kind, ErrorKind::kInternal) << script;
    EXPECT_NE(log.error().hint.find("memory"), std::string::npos) << script;
  }
}

TEST(CompilerRuns, OneThatTakesTooLongIsEnded) {
  const auto log = run({shell("sleep 60")}, milliseconds(200));
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().kind, ErrorKind::kNo);
  EXPECT_NE(log.error().message.find("time limit"), std::string::npos) << log.error().message;
}

TEST(CompilerRuns, AProgramThatIsNotThereIsUnavailable) {
  const auto log = run({{"kernel.cu", "does not compile", {"/nowhere/nvcc"}}});
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().kind, ErrorKind::kUnavailable);
}

TEST(CompilerRuns, TellsHowManyAreDone) {
  const pyc::test::TemporaryFolder folder;
  std::vector<int> seen;
  ASSERT_TRUE(run_compilers({shell(":"), shell(":"), shell(":")}, folder.path(), milliseconds(20000),
                            [&](int done) { seen.push_back(done); }));
  EXPECT_EQ(seen, (std::vector<int>{1, 2, 3}));
}

}  // namespace
}  // namespace pyc::workspace
