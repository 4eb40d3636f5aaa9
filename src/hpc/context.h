// What every verb is given. A verb returns a result; it never prints, exits or reads the environment.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "evidence/records.h"
#include "toolchain/nvcc.h"
#include "workspace/workspace.h"

namespace pyc::hpc {

// Told what is going on while a verb runs; src/cli draws it on a terminal.
struct Progress {
  std::string what;         // "compiling harness", "validating 1024x1024x1024"
  int done = 0, total = 0;  // units finished, of how many; total 0: unknown
};
using ProgressSink = std::function<void(const Progress &)>;

struct Context {
  workspace::Workspace workspace;
  toolchain::Environment environment;
  std::filesystem::path nvcc;        // --nvcc, or empty
  evidence::Tool tool;               // version and git description of this pyc
  std::vector<std::string> command;  // argv, kept in evidence
  ProgressSink progress = [](const Progress &) {};
  std::function<TimePoint()> now = [] { return std::chrono::system_clock::now(); };
};

// The workspace of a context: `requested` (--workspace), else `from_environment`, else the nearest upwards from
// `start`. kInvalid if there is none.
Result<workspace::Workspace> open_workspace(const std::filesystem::path &requested,
                                            const std::filesystem::path &from_environment,
                                            const std::filesystem::path &start);

}  // namespace pyc::hpc
