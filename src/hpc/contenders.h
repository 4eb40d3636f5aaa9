// Who is timed beside the candidate in the same run: the promoted kernel of its selector, and those that were asked
// for.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/harness_events.h"
#include "hpc/context.h"
#include "hpc/machine.h"
#include "workspace/candidate.h"

namespace pyc::hpc {

struct Contenders {
  std::vector<evidence::HarnessRequest::Contender> list;
  std::vector<evidence::Warning> warnings;
};

// What can be told without a compiler, so that a name that does not exist or a promoted source that was edited is
// refused first. Their `library` is empty. `null`: the promoted kernel takes part only if it is asked for.
Result<Contenders> choose_contenders(const Context &context, const workspace::Candidate &candidate,
                                     const std::vector<std::string> &against, bool null = false);

// Builds each one's kernel and fills in `library`.
Status build_contenders(const Context &context, const Machine &machine, Contenders &contenders);

}  // namespace pyc::hpc
