// What every verb of the lab is given. A verb returns a result; it never prints, exits or reads the environment.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "base/clock.h"
#include "base/progress.h"
#include "evidence/records.h"
#include "toolchain/nvcc.h"
#include "workspace/workspace.h"

namespace pyc::lab {

// Where the lab's files are; every path is absolute.
struct Paths {
  std::filesystem::path manifest, baselines, tasks, runs, build, results;
};
Paths default_paths(const workspace::Workspace &workspace);

struct Context {
  workspace::Workspace workspace;
  Paths paths;
  toolchain::Environment environment;
  std::filesystem::path nvcc;     // --nvcc, or empty
  std::filesystem::path program;  // this pyc, which the steps of a task find first in PATH
  evidence::Tool tool;
  ProgressSink progress = [](const Progress &) {};
  std::function<TimePoint()> now = [] { return std::chrono::system_clock::now(); };
};

}  // namespace pyc::lab
