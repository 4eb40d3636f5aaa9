// How often one question was asked: is this digest faster than that incumbent? Whoever asks until the answer is yes
// must not be believed as if they had asked once.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "base/result.h"
#include "evidence/records.h"
#include "hpc/context.h"
#include "hpc/verbs.h"

namespace pyc::hpc {

// Distinct benchmarks of the candidate's digest that timed the incumbent's: those in kernels/results, those that traces
// of earlier attempts name even if their file is gone, and `presented`, at least 1. Without an incumbent nothing is
// compared: 1. A file that is not whole counts for nothing.
int count_attempts(const Context &context, const evidence::CandidateRef &candidate, const workspace::Record *incumbent,
                   const std::filesystem::path &presented);

// Keeps what the gate said, whatever it said, as a file in kernels/results.
Status keep_attempt(const Context &context, const PromoteOptions &options, const evidence::CandidateRef &candidate,
                    const workspace::Record *incumbent, const GateReport &report);

}  // namespace pyc::hpc
