#include "workspace/compiler_runs.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <thread>

#include "base/process.h"
#include "base/text.h"

namespace pyc::workspace {

namespace {

constexpr std::size_t kOutputLimitBytes = 64 << 20;
constexpr int kShellSignalBase = 128;  // a shell's exit code for a child that a signal ended

// The driver reports its own children's deaths as errors of its own.
bool was_killed(const ProcessResult &result) {
  if (result.end == ProcessEnd::kSignalled || result.exit_code == kShellSignalBase + SIGKILL) return true;
  const auto says = [&](std::string_view words) { return result.standard_error.find(words) != std::string::npos; };
  return says("died due to signal") || says("signal terminated program");
}

// What the compilers and the C library say when nothing more can be written.
bool ran_out_of_room(const std::string &output) {
  const auto says = [&](std::string_view words) { return output.find(words) != std::string::npos; };
  return says("No space left on device") || says("Disk quota exceeded");
}

std::string output_of(const ProcessResult &result) { return result.standard_output + result.standard_error; }

// How a person can see the refusal again. What the run wrote is gone with its staged folder, so the output goes
// nowhere; a link, whose inputs lay in that folder too, cannot be repeated.
std::string repeat_hint(const CompilerRun &run, const std::filesystem::path &folder) {
  std::vector<std::string> words = run.argv;
  const auto flag = std::find(words.begin(), words.end(), "-o");
  if (flag == words.end() || flag + 1 == words.end()) return "the command was: " + quote_command(words);
  const std::string staged = std::filesystem::path(*(flag + 1)).parent_path().string();
  *(flag + 1) = "/dev/null";
  const bool inputs_are_gone =
      std::any_of(words.begin(), words.end(), [&](const std::string &word) { return word.starts_with(staged + "/"); });
  if (!staged.empty() && inputs_are_gone) return "the objects compiled, so look for a missing or doubled definition";
  return fmt::format("see it again: cd {} && {}", quote_command({folder.string()}), quote_command(words));
}

Result<std::string> judge(const CompilerRun &run, const std::filesystem::path &folder, const ProcessResult &result) {
  const std::string command = quote_command(run.argv), output = output_of(result);
  if (result.succeeded()) return fmt::format("$ {}\n{}", command, output);
  if (result.end == ProcessEnd::kInterrupted) {
    return fail(ErrorKind::kInterrupted, fmt::format("interrupted while compiling '{}'", run.subject));
  }
  if (was_killed(result)) {
    return fail(ErrorKind::kInternal,
                fmt::format("the compiler was killed at '{}': {}\n{}", run.subject, result.describe(), output),
                "mostly the machine had too little memory: close other programs, or build where there is more");
  }
  if (ran_out_of_room(output)) {
    return fail(ErrorKind::kInternal,
                fmt::format("the disk is full: '{}' could not be compiled:\n{}", run.subject, output),
                "make room in the workspace and in TMPDIR; kernels/.build can be removed, it is only a cache");
  }
  const bool too_long = result.end == ProcessEnd::kTimeLimit;
  return fail(ErrorKind::kNo,
              too_long ? fmt::format("'{}': the compiler was {}\n{}", run.subject, result.describe(), output)
                       : fmt::format("'{}' {} ({}):\n{}", run.subject, run.refusal, result.describe(), output),
              repeat_hint(run, folder));
}

Result<std::string> run_compiler(const CompilerRun &run, const std::filesystem::path &folder,
                                 std::chrono::milliseconds time_limit) {
  ProcessOptions options;
  options.argv = run.argv;
  options.working_directory = folder;
  options.time_limit = time_limit;
  options.output_limit_bytes = kOutputLimitBytes;
  PYC_TRY(const ProcessResult result, run_process(options));
  return judge(run, folder, result);
}

Result<std::string> first_failure_or_all(std::vector<std::optional<Result<std::string>>> &results) {
  std::string log;
  for (auto &result : results) {
    if (result && !*result) return std::move(*result);
    if (result) log += **result;
  }
  return log;
}

}  // namespace

Result<std::string> run_compilers(const std::vector<CompilerRun> &runs, const std::filesystem::path &folder,
                                  std::chrono::milliseconds time_limit, const std::function<void(int done)> &on_done) {
  std::vector<std::optional<Result<std::string>>> results(runs.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  int done = 0;
  const auto work = [&] {
    for (std::size_t i; !failed && (i = next++) < runs.size();) {
      results[i] = run_compiler(runs[i], folder, time_limit);
      if (!*results[i]) failed = true;
      const std::lock_guard lock(mutex);
      if (!failed) on_done(++done);
    }
  };
  {
    const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
    // The two sources of a candidate are compiled at the same time wherever they are.
    const std::size_t workers = std::min(runs.size(), std::max<std::size_t>(2, processors));
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(work);
  }
  return first_failure_or_all(results);
}

}  // namespace pyc::workspace
