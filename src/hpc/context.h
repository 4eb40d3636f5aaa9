// What every verb is given. A verb returns a result; it never prints, exits or reads the environment.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"
#include "evidence/records.h"
#include "toolchain/nvcc.h"
#include "workspace/workspace.h"

namespace pyc::hpc {

using pyc::Progress;
using pyc::ProgressSink;
// Told what a user should know while the verb goes on, terminal or not: a line without a newline.
using NoteSink = std::function<void(const std::string &)>;

struct Context {
  workspace::Workspace workspace;
  toolchain::Environment environment;
  std::filesystem::path nvcc;        // --nvcc, or empty
  evidence::Tool tool;               // version and git description of this pyc
  std::vector<std::string> command;  // argv, kept in evidence
  ProgressSink progress = [](const Progress &) {};
  NoteSink note = [](const std::string &) {};
  std::function<TimePoint()> now = [] { return std::chrono::system_clock::now(); };
};

// The workspace of a context: `requested` (--workspace), else `from_environment`, else the nearest upwards from
// `start`. kInvalid if there is none.
Result<workspace::Workspace> open_workspace(const std::filesystem::path &requested,
                                            const std::filesystem::path &from_environment,
                                            const std::filesystem::path &start);

}  // namespace pyc::hpc
