#include "cli/console.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/json_output.h"

namespace pyc::cli {
namespace {

bool wants_color(const std::string &when, const Environment &environment, int descriptor) {
  if (when != "auto") return when == "always";
  return isatty(descriptor) != 0 && !environment.no_color && !environment.dumb_terminal;
}

// What cannot be said there is lost: it must not end a verb that has work under way.
void say(const std::string &text) { std::fputs(text.c_str(), stderr); }

std::string progress_line(const hpc::Progress &progress) {
  if (progress.total == 0) return progress.what;
  return fmt::format("[{}/{}] {}", progress.done, progress.total, progress.what);
}

}  // namespace

Console::Console(const ParsedLine &line, const Environment &environment)
    : json_(line.json),
      quiet_(line.quiet),
      draws_progress_(!line.quiet && !environment.dumb_terminal && isatty(STDERR_FILENO) != 0),
      lists_progress_(!line.quiet && line.line && line.line->values.has("--progress")),
      group_(line.line && line.line->verb ? line.line->verb->group : "") {
  error_style_.color = wants_color(line.color, environment, STDERR_FILENO);
  answer_style_.color = wants_color(line.color, environment, STDOUT_FILENO);
}

hpc::ProgressSink Console::progress() {
  if (!draws_progress_ && lists_progress_)
    return [](const hpc::Progress &progress) { say(progress_line(progress) + "\n"); };
  if (!draws_progress_) return [](const hpc::Progress &) {};
  return [this](const hpc::Progress &progress) {
    progress_shown_ = true;
    say("\r\033[K" + progress_line(progress));
    std::fflush(stderr);
  };
}

hpc::NoteSink Console::note() {
  if (quiet_) return [](const std::string &) {};
  return [this](const std::string &text) {
    clear_progress();
    say("note: " + text + "\n");
  };
}

void Console::clear_progress() {
  if (!progress_shown_) return;
  say("\r\033[K");
  progress_shown_ = false;
}

ExitCode Console::print(const std::string &text) {
  clear_progress();
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return kExitYes;
  print_error({ErrorKind::kInternal, "stdout cannot be written", "is the disk full, or the reader gone?"});
  return kExitCouldNot;
}

ExitCode Console::present(const Result<Answer> &answer) {
  clear_progress();
  const Error *failure = answer ? (answer->failure ? &*answer->failure : nullptr) : &answer.error();
  std::string text = answer ? answer->text : std::string();
  if (json_) text = (answer ? answer->json() : error_document(answer.error())) + "\n";
  // The answer first: where both streams are one terminal, the last line is the error, or what to do next.
  const ExitCode written = print(text);
  if (answer && !quiet_) say(answer->notes);
  if (answer) print_warnings(answer->warnings);
  if (failure != nullptr) print_error(*failure);
  if (written != kExitYes || failure == nullptr) return written;
  return interrupt_flag() ? kExitInterrupted : exit_code(group_, failure->kind);
}

void Console::print_error(const Error &error) {
  say(fmt::format("{} {}\n", error_style_.bad("error:"), error.message));
  if (!error.hint.empty()) say(fmt::format("\n{} {}\n", error_style_.bold("hint:"), error.hint));
}

void Console::print_warnings(const std::vector<evidence::Warning> &warnings) {
  for (const evidence::Warning &warning : warnings) {
    say(fmt::format("{} {}: {}\n", error_style_.odd("warning:"), warning.code, warning.message));
    if (!warning.hint.empty()) say(fmt::format("  {} {}\n", error_style_.bold("hint:"), warning.hint));
  }
}

}  // namespace pyc::cli
