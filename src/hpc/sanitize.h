// The candidate under compute-sanitizer: its executable run by hand on small shapes, once for each of the four tools.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "evidence/records.h"
#include "hpc/context.h"
#include "hpc/machine.h"

namespace pyc::hpc {

// Small problems that `requires` admits, leading dimensions included: one of odd extents if it may be, one of even
// ones.
std::vector<evidence::Shape> sanitized_shapes(const workspace::Requires &requirements);

// What one run of a tool says. kUnavailable if it could not look: no permission, a device that it does not know, or an
// end without the summary that a look ends with.
Result<evidence::Check> judge_sanitizer(const std::string &tool, const evidence::Shape &shape,
                                        const ProcessResult &ended);

struct Sanitized {
  std::vector<evidence::Check> checks;
  std::string again;           // the command that shows the first failure; empty if there is none
  std::optional<Error> blind;  // why the rest was not looked at
};

// Every tool at every shape. `blind` is kUnavailable if compute-sanitizer is missing or cannot look here, kInterrupted
// for Ctrl-C; what was seen before stands.
Sanitized sanitize(const Context &context, const Machine &machine, const workspace::CandidateBuild &build,
                   const workspace::Contract &contract);

}  // namespace pyc::hpc
