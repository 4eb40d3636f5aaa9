// The flags that validate, bench and profile share.
#pragma once

#include "base/result.h"
#include "cli/flags.h"
#include "hpc/verbs.h"

namespace pyc::cli {

// The problem sizes behind --shape.
Result<std::vector<evidence::Shape>> read_shapes(const Values &values);

// --timeout, in whole seconds up to a day.
Result<std::chrono::milliseconds> read_timeout(const Values &values, std::chrono::milliseconds fallback);

Status read_run_flags(const Values &values, hpc::RunOptions &options);

}  // namespace pyc::cli
