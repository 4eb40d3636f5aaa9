// The exit codes of `pyc`, one table.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"

namespace pyc::cli {

enum ExitCode : int {
  kExitYes = 0,
  kExitNo = 1,
  kExitCouldNot = 2,
  kExitCannotRunHere = 3,
  kExitInterrupted = 130,
  // Those of `pyc lab` that are its own.
  kExitLabSchema = 3,
  kExitLabToolchain = 4,
  kExitLabFailed = 5,
};

struct ExitCodeRow {
  ExitCode code;
  const char *meaning;
};
std::span<const ExitCodeRow> exit_code_rows();
std::span<const ExitCodeRow> lab_exit_code_rows();  // of `pyc lab`, whose users know them so

// `group`: of the verb, "hpc" or "lab".
ExitCode exit_code(std::string_view group, ErrorKind kind);

}  // namespace pyc::cli
