#include "base/process.h"

#include <cerrno>
#include <cstdio>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/files.h"
#include "tests/base/temporary_folder.h"

namespace {

using namespace std::chrono_literals;
using pyc::ProcessEnd;
using pyc::ProcessOptions;
using pyc::ProcessResult;
using pyc::test::TemporaryFolder;
using Clock = std::chrono::steady_clock;

ProcessOptions shell(const std::string &script) {
  ProcessOptions options;
  options.argv = {"sh", "-c", script};
  return options;
}

ProcessResult run(const ProcessOptions &options) { return pyc::run_process(options).value(); }

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

// True once no process of that number exists, which a killed one may take a moment for.
bool is_gone(pid_t process) {
  for (int i = 0; i < 200; ++i, std::this_thread::sleep_for(10ms))
    if (kill(process, 0) != 0 && errno == ESRCH) return true;
  return false;
}

TEST(Process, KeepsOutputErrorsAndExitCodeApart) {
  const auto result = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(result.standard_output, "out\n");
  EXPECT_EQ(result.standard_error, "err\n");
  EXPECT_EQ(result.describe(), "exit code 3");
  EXPECT_FALSE(result.succeeded());
  EXPECT_TRUE(run(shell("exit 0")).succeeded());
}

TEST(Process, NamesTheSignalThatEndedIt) {
  const auto result = run(shell("kill -SEGV $$"));
  EXPECT_EQ(result.end, ProcessEnd::kSignalled);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.describe(), "signal 11 (Segmentation fault)");
}

// From here on this thread and its children share one processor, and none takes it away from another.
void share_one_processor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  const sched_param no_priority{};
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  ASSERT_EQ(sched_setscheduler(0, SCHED_BATCH, &no_priority), 0);
}

// On a busy machine a short child has run for a while, or to its end, before its start returns.
TEST(Process, ElapsedHoldsAllOfTheChildsLife) {
  std::thread([] {
    share_one_processor();
    for (int i = 0; i < 20; ++i) {
      ProcessOptions options;
      options.argv = {"bash", "-c",
                      "a=$EPOCHREALTIME; for ((i = 0; i < 500; ++i)); do :; done; echo $a $EPOCHREALTIME"};
      options.environment = {{"LC_ALL", "C"}};
      const auto result = run(options);
      double first_s = 0, last_s = 0;
      ASSERT_EQ(std::sscanf(result.standard_output.c_str(), "%lf %lf", &first_s, &last_s), 2) << result.standard_error;
      EXPECT_GE(std::chrono::duration<double>(result.elapsed).count(), last_s - first_s - 1e-6);
    }
  }).join();
}

TEST(Process, HasAnEmptyStandardInput) { EXPECT_EQ(run(shell("cat; echo end")).standard_output, "end\n"); }

TEST(Process, SetsDirectoryAndAddsToTheEnvironment) {
  const TemporaryFolder folder;
  setenv("PYC_TEST_INHERITED", "inherited", 1);
  setenv("PYC_TEST_CHANGED", "before", 1);
  auto options = shell("pwd -P; echo $PYC_TEST_INHERITED $PYC_TEST_CHANGED $PYC_TEST_NEW");
  options.working_directory = folder.path();
  options.environment = {{"PYC_TEST_CHANGED", "after"}, {"PYC_TEST_NEW", "a=b c"}};
  EXPECT_EQ(run(options).standard_output,
            std::filesystem::canonical(folder.path()).string() + "\ninherited after a=b c\n");
}

TEST(Process, LooksForTheProgramInTheChildsPath) {
  const TemporaryFolder folder;
  folder.write_program("only-here", "echo found");
  ProcessOptions options;
  options.argv = {"only-here"};
  options.environment = {{"PATH", folder.path().string()}};
  EXPECT_EQ(run(options).standard_output, "found\n");
}

TEST(Process, ARelativeProgramIsMeantFromHereWhateverTheDirectory) {
  const TemporaryFolder folder;
  folder.write_program("tool", "echo found");
  ProcessOptions options;
  options.argv = {std::filesystem::relative(folder / "tool").string()};
  options.working_directory = "/";
  EXPECT_EQ(run(options).standard_output, "found\n");
}

TEST(Process, WhatCannotStartIsNamedWithTheReason) {
  const TemporaryFolder folder;
  const auto error_of = [](const std::string &program) {
    ProcessOptions options;
    options.argv = {program};
    const auto result = pyc::run_process(options);
    EXPECT_FALSE(result) << program;
    EXPECT_EQ(result.error().kind, pyc::ErrorKind::kUnavailable);
    EXPECT_TRUE(contains(result.error().message, program)) << result.error().message;
    return result.error().message + " " + result.error().hint;
  };
  EXPECT_TRUE(contains(error_of("surely-no-such-program"), std::getenv("PATH")));
  EXPECT_TRUE(contains(error_of(folder / "absent"), "no such file"));
  EXPECT_TRUE(contains(error_of(folder.write("text", "text")), "not an executable"));
  const auto no_interpreter = folder.write_program("script", "true");
  folder.write("script", "#!/no/such/interpreter\n");
  EXPECT_TRUE(contains(error_of(no_interpreter), "interpreter"));
  folder.write_program("garbage", "");
  EXPECT_TRUE(contains(error_of(folder.write("garbage", "garbage")), "script"));
}

TEST(Process, AMissingWorkingDirectoryIsNamed) {
  auto options = shell("true");
  options.working_directory = "/no/such/folder";
  const auto result = pyc::run_process(options);
  ASSERT_FALSE(result);
  EXPECT_TRUE(contains(result.error().message, "/no/such/folder"));
}

TEST(Process, OnlyTheThreeStandardDescriptorsAreOpen) {
  const int inherited = dup(STDOUT_FILENO);
  const std::string list = "for f in $(seq 0 99); do [ -e /proc/$$/fd/$f ] && echo $f; done; true";
  EXPECT_EQ(run(shell(list)).standard_output, "0\n1\n2\n");
  auto with_events = shell(list);
  with_events.on_event_line = [](std::string_view) {};
  EXPECT_EQ(run(with_events).standard_output, "0\n1\n2\n3\n");
  close(inherited);
}

TEST(Process, SignalsAreAtTheirDefaultsInTheChild) {
  const auto before = signal(SIGTERM, SIG_IGN);
  sigset_t blocked, old;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, &old);
  EXPECT_EQ(run(shell("kill -TERM $$; echo survived")).signal, SIGTERM);
  sigprocmask(SIG_SETMASK, &old, nullptr);
  signal(SIGTERM, before);
}

TEST(Process, LeadsItsOwnGroup) {
  const auto result = run(shell("echo $$; cut -d' ' -f5 /proc/$$/stat"));
  EXPECT_EQ(result.standard_output.substr(0, result.standard_output.size() / 2),
            result.standard_output.substr(result.standard_output.size() / 2));
}

TEST(ProcessOutput, KeepsHeadAndTailOfAFlood) {
  auto options = shell("echo first; seq 1 200000; echo last");
  options.output_limit_bytes = 10000;
  const auto result = run(options);
  EXPECT_TRUE(result.output_truncated);
  EXPECT_TRUE(result.standard_output.starts_with("first\n1\n"));
  EXPECT_TRUE(result.standard_output.ends_with("200000\nlast\n"));
  EXPECT_TRUE(contains(result.standard_output, "bytes left out"));
  EXPECT_LT(result.standard_output.size(), 10100u);
}

TEST(ProcessOutput, WithinTheLimitIsKeptWhole) {
  auto options = shell("printf 1234567890");
  options.output_limit_bytes = 10;
  EXPECT_EQ(run(options).standard_output, "1234567890");
  EXPECT_FALSE(run(options).output_truncated);
}

TEST(ProcessOutput, LargeOutputOnBothStreamsDoesNotBlockTheChild) {
  const auto result = run(shell("head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; exit 7"));
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.standard_output.size(), 300000u);
  EXPECT_EQ(result.standard_error.size(), 300000u);
}

TEST(ProcessEvents, ArriveLineByLine) {
  std::vector<std::string> lines;
  auto options = shell("printf 'one\\ntw' >&3; echo noise; printf 'o\\n\\nunfinished' >&3");
  options.on_event_line = [&](std::string_view line) { lines.emplace_back(line); };
  EXPECT_TRUE(run(options).succeeded());
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", ""}));
}

TEST(ProcessEvents, NoneIsLostWhenTheChildEndsAtOnce) {
  int count = 0;
  auto options = shell("seq 1 3000 >&3; kill -KILL $$");
  options.on_event_line = [&](std::string_view) { ++count; };
  EXPECT_EQ(run(options).signal, SIGKILL);
  EXPECT_EQ(count, 3000);
}

TEST(ProcessEvents, AnEndlessLineEndsTheChild) {
  auto options = shell("cat /dev/zero >&3");
  options.on_event_line = [](std::string_view) { FAIL(); };
  options.event_line_limit_bytes = 100000;
  EXPECT_EQ(run(options).end, ProcessEnd::kEventOverflow);
}

TEST(ProcessEvents, LinesWithoutEndEndTheChild) {
  auto options = shell("yes >&3");
  options.on_event_line = [](std::string_view line) { ASSERT_EQ(line, "y"); };
  options.event_limit_bytes = 100000;
  options.silence_limit = 30s;
  EXPECT_EQ(run(options).end, ProcessEnd::kEventOverflow);
}

TEST(ProcessLimits, TheTimeLimitEndsTheWholeGroup) {
  auto options = shell("sleep 1000 & echo $!; wait");
  options.time_limit = 200ms;
  const auto result = run(options);
  EXPECT_EQ(result.end, ProcessEnd::kTimeLimit);
  EXPECT_TRUE(contains(result.describe(), "time limit")) << result.describe();
  EXPECT_LT(result.elapsed, 2s);
  EXPECT_TRUE(is_gone(std::stoi(result.standard_output)));
}

TEST(ProcessLimits, AChildThatIgnoresSigtermIsKilledTwoSecondsLater) {
  const auto begin = Clock::now();
  auto options = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done");
  options.time_limit = 200ms;
  EXPECT_EQ(run(options).end, ProcessEnd::kTimeLimit);
  EXPECT_GE(Clock::now() - begin, 2s);
  EXPECT_LT(Clock::now() - begin, 6s);
}

TEST(ProcessLimits, TheGraceIsHowLongAChildMayTakeToEnd) {
  for (const auto &[grace, said] : {std::pair{100ms, ""}, {5000ms, "ended\n"}}) {
    auto options = shell("trap 'sleep 1; echo ended; exit 0' TERM; while :; do sleep 0.05; done");
    options.time_limit = 300ms;
    options.grace = grace;
    EXPECT_EQ(run(options).standard_output, said) << grace.count();
  }
}

TEST(ProcessLimits, WhatIsSaidDuringTheGraceIsKept) {
  std::vector<std::string> lines;
  auto options = shell("trap 'echo parting >&3; exit 0' TERM; while :; do sleep 0.05; done");
  options.time_limit = 300ms;
  options.on_event_line = [&](std::string_view line) { lines.emplace_back(line); };
  EXPECT_EQ(run(options).end, ProcessEnd::kTimeLimit);
  EXPECT_EQ(lines, std::vector<std::string>{"parting"});
}

TEST(ProcessLimits, SilenceCountsFromTheLastEventLine) {
  const auto begin = Clock::now();
  auto options = shell("for i in 1 2 3 4; do echo $i >&3; sleep 0.2; done; while :; do echo noise; sleep 0.05; done");
  options.silence_limit = 500ms;
  int lines = 0;
  options.on_event_line = [&](std::string_view) { ++lines; };
  EXPECT_EQ(run(options).end, ProcessEnd::kSilenceLimit);
  EXPECT_EQ(lines, 4);
  EXPECT_GE(Clock::now() - begin, 1000ms);
}

TEST(ProcessLimits, AFloodDoesNotHoldOffTheTimeLimit) {
  auto options = shell("cat /dev/zero");
  options.time_limit = 200ms;
  EXPECT_EQ(run(options).end, ProcessEnd::kTimeLimit);
}

TEST(ProcessGrandchildren, KeepingThePipesOpenDoesNotKeepUsWaiting) {
  const auto begin = Clock::now();
  const auto result = run(shell("sleep 1000 & echo $!"));
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_TRUE(result.succeeded());
  EXPECT_TRUE(is_gone(std::stoi(result.standard_output)));
}

TEST(ProcessGrandchildren, OneThatLeftTheGroupAndFloodsThePipeDoesNotHangUs) {
  const auto begin = Clock::now();
  const auto result = run(shell("setsid sh -c 'echo $$ >&2; exec timeout 3 yes' & sleep 0.3"));
  EXPECT_LT(Clock::now() - begin, 2500ms);
  EXPECT_TRUE(result.succeeded());
}

TEST(Process, LeavesNoZombie) {
  run(shell("true"));
  auto options = shell("sleep 1000");
  options.time_limit = 50ms;
  run(options);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Process, ManyAtTheSameTimeDoNotMixTheirOutput) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      const std::string text = std::to_string(i);
      EXPECT_EQ(run(shell("echo " + text + "; sleep 0.1; exit " + text)).standard_output, text + "\n");
    });
  }
  for (auto &thread : threads) thread.join();
}

// The interrupt flag cannot be lowered again, so each of these runs in a process of its own.
int in_process_with_handler(const std::function<bool()> &body) {
  const pid_t child = fork();
  if (child == 0) {
    pyc::install_interrupt_handler();
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(ProcessInterrupt, EndsTheChildAndSaysSo) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EQ(in_process_with_handler([signal] {
                std::thread interrupter([signal] {
                  std::this_thread::sleep_for(200ms);
                  kill(getpid(), signal);
                });
                const auto result = run(shell("sleep 1000"));
                interrupter.join();
                return result.end == ProcessEnd::kInterrupted && result.elapsed < 5s;
              }),
              0);
  }
}

TEST(ProcessInterrupt, AWriteBeyondTheSizeLimitFailsInsteadOfEndingTheTool) {
  const TemporaryFolder folder;
  EXPECT_EQ(in_process_with_handler([&] {
              const rlimit no_bytes{0, 0};
              setrlimit(RLIMIT_FSIZE, &no_bytes);
              return !pyc::write_file_atomic(folder / "file", "bytes");
            }),
            0);
  EXPECT_TRUE(folder.entries().empty());
}

TEST(ProcessInterrupt, NothingIsStartedAfterwards) {
  const TemporaryFolder folder;
  EXPECT_EQ(in_process_with_handler([&] {
              raise(SIGINT);
              const auto result = run(shell("touch " + (folder / "started").string()));
              return pyc::interrupt_flag() && result.end == ProcessEnd::kInterrupted;
            }),
            0);
  EXPECT_TRUE(folder.entries().empty());
}

}  // namespace
