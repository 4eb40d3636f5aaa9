// One run of a kernel's command: `compile` and `run` are this, for their phase.
#pragma once

#include "lab/kernel_command.h"
#include "lab/verbs.h"

namespace pyc::lab {

Result<CommandResult> run_once(const Context &context, const CommandOptions &options, Phase phase);

}  // namespace pyc::lab
