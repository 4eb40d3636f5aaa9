// One command, run again and again, with a clock beside it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "lab/kernel_command.h"
#include "workspace/lab_result.h"

namespace pyc::lab {

struct MeasureOptions {
  std::string what;  // for progress and failures: "the run_cmd of 'x'"
  std::string phase;
  int repeats = 1, warmup = 0;
  std::chrono::milliseconds time_limit{0};
};

// Either times, or why there are none.
struct Measured {
  std::optional<workspace::LabPhase> phase;
  std::optional<workspace::LabFailure> failure;
  std::optional<Error> error;  // the same failure, for the exit code
};
// The first run that fails ends it. Errors: kUnavailable if the program cannot be started.
Result<Measured> measure(const Context &context, const Command &command, const MeasureOptions &options);

}  // namespace pyc::lab
