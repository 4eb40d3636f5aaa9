// Child processes: one way to start, bound, read and end them.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyc {

// Set by the signal handler that install_interrupt_handler() puts in place; every wait in this file looks at it.
const std::atomic<bool> &interrupt_flag();
// SIGINT and SIGTERM set the flag; a write beyond the limit on file sizes fails like one to a full disk, instead of
// ending the process. Called once, by main.
void install_interrupt_handler();

constexpr std::chrono::milliseconds kDefaultGrace{2000};  // a child that has children of its own to end needs more

struct ProcessOptions {
  std::vector<std::string> argv;                    // argv[0] is looked up in PATH unless it has a slash
  std::filesystem::path working_directory;          // empty: the caller's
  std::map<std::string, std::string> environment;   // added to the caller's
  std::chrono::milliseconds time_limit{0};          // of the whole run; 0: none
  std::chrono::milliseconds grace = kDefaultGrace;  // between SIGTERM and SIGKILL
  std::chrono::milliseconds silence_limit{0};       // without a line on the event descriptor; 0: none
  std::size_t output_limit_bytes = 1 << 20;         // kept of stdout and of stderr each: the head and the tail
  // Called for every complete line that the child writes to descriptor 3. With no callback, 3 is not opened.
  std::function<void(std::string_view line)> on_event_line;
  std::size_t event_line_limit_bytes = 64 << 20;  // a longer line ends the child
  std::size_t event_limit_bytes = 1 << 30;        // so do more bytes than that in all lines together
};

enum class ProcessEnd { kExited, kSignalled, kTimeLimit, kSilenceLimit, kInterrupted, kEventOverflow };

struct ProcessResult {
  ProcessEnd end = ProcessEnd::kExited;
  int exit_code = 0;  // if kExited
  int signal = 0;     // if kSignalled
  std::string standard_output, standard_error;
  bool output_truncated = false;
  std::chrono::nanoseconds elapsed{0};
  // "exit code 1", "signal 11 (Segmentation fault)", "stopped after 60 s (time limit)"
  std::string describe() const;
  bool succeeded() const { return end == ProcessEnd::kExited && exit_code == 0; }
};

// Runs a child in its own process group and waits for it. When a limit passes or the interrupt flag is set, the
// whole group is sent SIGTERM and, after `grace`, SIGKILL. Grandchildren that keep the pipes open do not keep this
// call waiting, and those still in the group when the child ends are killed. The child reads nothing from stdin.
// Errors: kUnavailable if the program cannot be started (named, with the PATH that was searched).
Result<ProcessResult> run_process(const ProcessOptions &options);

// The program that PATH leads to, or nothing.
std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view path_variable);

// Words as a POSIX shell would read them back: used for "command" lines that a person may paste.
std::string quote_command(const std::vector<std::string> &argv);

}  // namespace pyc
