// The lab's commands: from a manifest or a task to one process, and how it ended.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/process.h"
#include "base/result.h"
#include "lab/context.h"
#include "workspace/lab_manifest.h"

namespace pyc::lab {

enum class Phase { kCompile, kRun };
std::string to_string(Phase phase);  // "compile"

using Command = workspace::LabCommand;

// A kernel's command of that phase, with its placeholders filled in. kInvalid if it has none, or if it would run a
// program of the build folder that is not there yet; kUnavailable if it needs nvcc and there is none.
Result<Command> kernel_command(const Context &context, const workspace::LabKernel &kernel, Phase phase);

// Runs it in the workspace. Its whole process group ends with it, with the time limit, and with an interrupt.
// `grace`: between SIGTERM and SIGKILL. kUnavailable if the program cannot be started.
Result<ProcessResult> run_command(const Context &context, const Command &command, std::chrono::milliseconds time_limit,
                                  std::chrono::milliseconds grace = kDefaultGrace);

// Why a command that was run did not succeed: kNo, or kInterrupted. `subject`: "the compile_cmd of 'x'".
std::optional<Error> failure_of(const std::string &subject, const ProcessResult &ended);

}  // namespace pyc::lab
