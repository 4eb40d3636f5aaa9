// Line 1: the candidate computes the right answer, at every shape of kernel.json, on a real GPU of its arch.
#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/gate_lines.h"

namespace pyc::hpc {
namespace {

using evidence::Check;
using evidence::Shape;
using evidence::ShapeValidation;
using evidence::Validation;
using workspace::Candidate;

bool fails(const Check &check) { return check.status != "skipped" && !holds(check); }

bool compared_output(const Check &check) { return check.check == "random" && check.elements > 0 && holds(check); }

bool shape_holds(const ShapeValidation &shape) {
  return shape.status == "passed" && std::none_of(shape.checks.begin(), shape.checks.end(), fails) &&
         std::any_of(shape.checks.begin(), shape.checks.end(), compared_output);
}

std::string shape_reason(const ShapeValidation &shape) {
  const auto failed = std::find_if(shape.checks.begin(), shape.checks.end(), fails);
  if (failed == shape.checks.end())
    return fmt::format("{}: '{}', and no output was found right", to_string(shape.shape), printable(shape.status));
  return fmt::format("{}: check '{}' failed: {}", to_string(shape.shape), printable(failed->check),
                     printable(failed->reason));
}

// Of the first shape that does not hold; empty if all do.
std::string failure_of(const Validation &validation) {
  const auto wrong = std::find_if_not(validation.shapes.begin(), validation.shapes.end(), shape_holds);
  return wrong == validation.shapes.end() ? "" : shape_reason(*wrong);
}

std::string missing_shape(const Validation &validation, const Candidate &candidate) {
  for (const Shape &shape : candidate.contract.timed_shapes()) {
    const auto same = [&](const ShapeValidation &have) { return have.shape == shape; };
    if (std::none_of(validation.shapes.begin(), validation.shapes.end(), same)) return to_string(shape);
  }
  return {};
}

std::string tolerance_reason(const Validation &validation, const Candidate &candidate) {
  const workspace::Contract &contract = candidate.contract;
  if (contract.has_loose_tolerance())
    return fmt::format("the tolerance of kernel.json is looser than what {} has by default; take it out",
                       contract.dtype);
  const evidence::Tolerance wanted = contract.effective_tolerance();
  if (validation.tolerance.absolute == wanted.absolute && validation.tolerance.relative == wanted.relative) return {};
  return "it was made with another tolerance than kernel.json's" + run_again(validation.header, candidate);
}

std::string reason_of(const Validation &validation, const Candidate &candidate) {
  const evidence::Header &header = validation.header;
  if (std::string reason = unfit_reason(header, candidate); !reason.empty()) return reason;
  const std::string failure = failure_of(validation);
  if (header.status != evidence::DocumentStatus::kPassed)
    return fmt::format("its status is '{}': {}", to_string(header.status),
                       header.error.empty() ? failure : printable(header.error));
  if (!failure.empty()) return failure;
  const auto found = std::find_if(validation.sanitizers.begin(), validation.sanitizers.end(), fails);
  if (found != validation.sanitizers.end())
    return fmt::format("'{}' found: {}", printable(found->check), printable(found->reason));
  if (validation.depth != "default") return "it was made with --quick, which leaves checks out";
  if (std::string reason = tolerance_reason(validation, candidate); !reason.empty()) return reason;
  if (const std::string shape = missing_shape(validation, candidate); !shape.empty())
    return fmt::format("{} of kernel.json was not validated{}", shape, run_again(header, candidate));
  return {};
}

}  // namespace

GateLine judge_validation(const GateInput &input) {
  const Validation &validation = *input.validation;
  const auto passed = std::count_if(validation.shapes.begin(), validation.shapes.end(), shape_holds);
  return gate_line(
      1, "validation",
      fmt::format("{} of {} shapes passed on {}", passed, validation.shapes.size(), gpu_name(validation.header)),
      reason_of(validation, *input.candidate));
}

}  // namespace pyc::hpc
