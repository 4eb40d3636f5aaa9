// What speaks against a candidate that has passed: a kernel with a race fails one validation and passes the next.
#pragma once

#include <string>
#include <vector>

#include "evidence/records.h"
#include "hpc/context.h"

namespace pyc::hpc {

// The validations of this digest in kernels/results in which a check failed, as their paths in the workspace, newest
// first; also those that a fault ended. A file that is not whole counts for nothing.
std::vector<std::string> failed_validations(const Context &context, const evidence::CandidateRef &candidate);

}  // namespace pyc::hpc
