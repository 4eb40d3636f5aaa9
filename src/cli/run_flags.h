// The flags that validate and bench share.
#pragma once

#include "base/result.h"
#include "cli/flags.h"
#include "hpc/verbs.h"

namespace pyc::cli {

Status read_run_flags(const Values &values, hpc::RunOptions &options);

}  // namespace pyc::cli
