// Imported candidates: kernels of the lab with a program of their own.
#pragma once

#include "hpc/verbs.h"
#include "workspace/candidate.h"

namespace pyc::hpc {

// Compiles and runs the candidate's own program with the commands that came with it, and records what it says: exit
// code 0 is passed. kInvalid for options that only a standard candidate has; kNo with the compiler's output if it does
// not compile. `silence_limit` bounds the whole run.
Result<RunResult<evidence::Validation>> validate_imported(const Context &context, const workspace::Candidate &candidate,
                                                          const ValidateOptions &options);

}  // namespace pyc::hpc
