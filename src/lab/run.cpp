// `pyc lab run`: what does the kernel's program print?
#include "lab/single_run.h"

namespace pyc::lab {

Result<CommandResult> run(const Context &context, const CommandOptions &options) {
  return run_once(context, options, Phase::kRun);
}

}  // namespace pyc::lab
