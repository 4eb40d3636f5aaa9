// The context of one call, made of the command line and the environment.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "cli/environment.h"
#include "hpc/context.h"

namespace pyc::cli {

struct OpenedContext {
  hpc::Context context;
  std::string workspace_error;  // only for a verb that runs without a workspace
};

// kInvalid if the verb needs a workspace and there is none.
Result<OpenedContext> open_context(const CommandLine &line, const Environment &environment,
                                   const std::vector<std::string> &argv, hpc::ProgressSink progress,
                                   hpc::NoteSink note);

}  // namespace pyc::cli
