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

// Keeps what the gate said, whatever it said, as a file in kernels/results, and returns its path. It says `refused` or
// `accepted`, which is true whatever becomes of the registry.
Result<std::filesystem::path> keep_attempt(const Context &context, const PromoteOptions &options,
                                           const evidence::CandidateRef &candidate, const workspace::Record *incumbent,
                                           const GateReport &report);

// Once the registry is written: the trace says `promoted`.
Status complete_attempt(const std::filesystem::path &trace);

}  // namespace pyc::hpc
