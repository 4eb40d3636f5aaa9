// Runs of the compiler: several at a time, bounded in time, their output kept whole. Private to workspace/.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pyc::workspace {

constexpr std::chrono::minutes kCompileTimeLimit{10};  // of one run

struct CompilerRun {
  std::string subject;  // what is made or read: "kernels/prototypes/x/kernel.cu"
  std::string refusal;  // of the subject, if the compiler says no: "does not compile"
  std::vector<std::string> argv;
};

// Runs all of them in `folder`, as many at a time as there are processors, and gives what they printed, in the order
// given, each under its command. `on_done` is told how many are done, by one thread at a time. kNo with the compiler's
// whole output if it says no or takes longer than `time_limit`; kInternal if it was killed, which is mostly a lack of
// memory; kInterrupted. After a failure no further run is started.
Result<std::string> run_compilers(const std::vector<CompilerRun> &runs, const std::filesystem::path &folder,
                                  std::chrono::milliseconds time_limit, const std::function<void(int done)> &on_done);

}  // namespace pyc::workspace
