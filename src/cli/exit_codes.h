// The exit codes of `pyc`, one table.
#pragma once

#include <span>

#include "base/result.h"

namespace pyc::cli {

enum ExitCode : int { kExitYes = 0, kExitNo = 1, kExitCouldNot = 2, kExitCannotRunHere = 3, kExitInterrupted = 130 };

struct ExitCodeRow {
  ExitCode code;
  const char *meaning;
};
std::span<const ExitCodeRow> exit_code_rows();

ExitCode exit_code(ErrorKind kind);

}  // namespace pyc::cli
