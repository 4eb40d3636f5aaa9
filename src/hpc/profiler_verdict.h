// How a profiler's end reads.
#pragma once

#include <optional>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "evidence/records.h"

namespace pyc::hpc {

// Nothing for a run that ended well. kUnavailable where the profiler may not or cannot look here, kNo where the
// profiled program failed, kInterrupted for Ctrl-C.
std::optional<Error> judge_profiler(const ProcessResult &ended);

// The candidate's launches in ncu's CSV; the harness's own kernels, which fill the inputs, are left out. kUnavailable
// if none was captured, kInvalid if the answer cannot be read.
Result<std::vector<evidence::ProfiledKernel>> read_kernels(const ProcessResult &ended);

}  // namespace pyc::hpc
