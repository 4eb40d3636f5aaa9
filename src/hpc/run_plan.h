// What one validation or benchmark will do, decided before anything is compiled.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/harness_events.h"
#include "hpc/verbs.h"
#include "workspace/candidate.h"

namespace pyc::hpc {

struct RunPlan {
  workspace::Candidate candidate;
  evidence::HarnessRequest request;  // without contenders and library folders, which need a built toolchain
  std::vector<evidence::Warning> warnings;
};

// Shapes are options.shapes, or else the candidate's; each once. With `odd_twins` every shape that has one gets its
// untimed twin. kInvalid for a shape that breaks the candidate's `requires`: the kernel would refuse it; a twin that
// does is left out.
Result<RunPlan> plan_run(const Context &context, const std::string &mode, const RunOptions &options, bool odd_twins);

// Whether m, n and k are multiples of what `rules` asks for.
bool admits(const workspace::Requires &rules, const evidence::Shape &shape);

// A word that no run has used and no kernel can know.
std::string make_nonce();

}  // namespace pyc::hpc
