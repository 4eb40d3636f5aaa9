// One run of a candidate's executable: request in, events out, and one sentence on how it ended.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "evidence/harness_events.h"
#include "hpc/context.h"

namespace pyc::hpc {

// What is started: a candidate's executable, or one that takes words of its own before those of every harness.
struct HarnessProgram {
  HarnessProgram(std::filesystem::path program, std::vector<std::string> own_words = {})
      : executable(std::move(program)), words(std::move(own_words)) {}
  std::filesystem::path executable;
  std::vector<std::string> words;
};

struct HarnessRun {
  std::optional<Error> failure;  // why the run is not whole; absent after a `done` event and exit code 0
  std::string log;               // the child's stdout, then its stderr
  bool log_truncated = false;
};

// Writes the request, runs `program`, feeds every event line to `transcript` and calls `shape_finished` whenever one
// more shape has ended. A child that crashes, hangs or talks nonsense is a `failure`, not an error.
Result<HarnessRun> run_harness(const Context &context, const HarnessProgram &program,
                               const evidence::HarnessRequest &request, std::chrono::milliseconds silence_limit,
                               evidence::HarnessTranscript &transcript, const std::function<void()> &shape_finished);

// How a child's end reads: kNo for the candidate's own fault, kUnavailable where the machine cannot run it,
// kInterrupted for Ctrl-C, nothing for a whole run. `first_bad_line`: empty, or what was wrong with the first line that
// is no event.
std::optional<Error> judge_run(const ProcessResult &ended, const evidence::HarnessTranscript &transcript,
                               const std::string &first_bad_line);

}  // namespace pyc::hpc
