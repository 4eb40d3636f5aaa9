// `pyc lab compile`: does the kernel compile?
#include "lab/single_run.h"

namespace pyc::lab {

Result<CommandResult> compile(const Context &context, const CommandOptions &options) {
  return run_once(context, options, Phase::kCompile);
}

}  // namespace pyc::lab
