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

// What `pyc hpc validate` looks at wherever a kernel is timed.
constexpr const char *kChecks[] = {"random",    "normwise",  "repeat", "exact",  "scalars", "strides", "guards",
                                   "beta_zero", "offsets",   "state",  "stream", "graph",   "streams", "nan_inf",
                                   "subnormal", "page_ends", "status", "writes", "inputs"};
// What a machine, or an alignment that `requires` asks for, may leave nothing of.
constexpr const char *kMayBeSkipped[] = {"offsets", "page_ends"};

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

// An odd twin, or a problem that --large added, may have the extents of another.
std::string missing_shape(const Validation &validation, const Candidate &candidate) {
  for (const Shape &shape : candidate.contract.timed_shapes()) {
    const auto same = [&](const ShapeValidation &have) { return have.timed && have.shape == shape; };
    if (std::none_of(validation.shapes.begin(), validation.shapes.end(), same)) return to_string(shape);
  }
  return {};
}

const Check *find_check(const ShapeValidation &shape, const std::string &name, const char *status = nullptr) {
  const auto found = std::find_if(shape.checks.begin(), shape.checks.end(), [&](const Check &check) {
    return check.check == name && (status == nullptr || check.status == status);
  });
  return found == shape.checks.end() ? nullptr : &*found;
}

// Empty if the check was made at every timed shape, and not skipped at all of them.
std::string missing_reason(const std::string &name, const Validation &validation, const Candidate &candidate) {
  const auto timed = candidate.contract.timed_shapes();
  const Check *skipped = nullptr;
  bool passed = std::find(std::begin(kMayBeSkipped), std::end(kMayBeSkipped), name) != std::end(kMayBeSkipped);
  for (const ShapeValidation &shape : validation.shapes) {
    if (!shape.timed || std::find(timed.begin(), timed.end(), shape.shape) == timed.end()) continue;
    const Check *check = find_check(shape, name);
    if (!check)
      return fmt::format("{}: the check '{}' was not made; validate again with this version of pyc",
                         to_string(shape.shape), name);
    passed = passed || find_check(shape, name, "passed") != nullptr;
    if (check->status == "skipped") skipped = check;
  }
  if (passed || !skipped) return {};
  return fmt::format(
      "the check '{}' was skipped at every shape: {}; add a shape at which it can be made to kernel.json, or validate "
      "on an idle GPU",
      name, printable(skipped->reason));
}

std::string missing_check(const Validation &validation, const Candidate &candidate) {
  for (const char *name : kChecks)
    if (std::string reason = missing_reason(name, validation, candidate); !reason.empty()) return reason;
  return {};
}

// A pass does not undo a failure of the same digest: what fails now and then is wrong.
std::string contradiction(const GateInput &input) {
  const std::vector<std::string> &failed = input.failed_validations;
  if (failed.empty()) return {};
  const std::string others = failed.size() > 1 ? fmt::format(" (and {} more)", failed.size() - 1) : "";
  return fmt::format(
      "'{}'{} says that this digest failed, and passing once does not undo it; mend the kernel, or remove that file if "
      "something else spoiled the run",
      printable(failed.front()), others);
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

std::string reason_of(const GateInput &input) {
  const Validation &validation = *input.validation;
  const Candidate &candidate = *input.candidate;
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
  if (validation.depth != "default")
    return "it was made with --quick, which leaves checks out" + run_again(header, candidate);
  if (std::string reason = tolerance_reason(validation, candidate); !reason.empty()) return reason;
  if (const std::string shape = missing_shape(validation, candidate); !shape.empty())
    return fmt::format("{} of kernel.json was not validated{}", shape, run_again(header, candidate));
  if (std::string reason = missing_check(validation, candidate); !reason.empty()) return reason;
  return contradiction(input);
}

}  // namespace

GateLine judge_validation(const GateInput &input) {
  const Validation &validation = *input.validation;
  const auto passed = std::count_if(validation.shapes.begin(), validation.shapes.end(), shape_holds);
  return gate_line(
      1, "validation",
      fmt::format("{} of {} shapes passed on {}", passed, validation.shapes.size(), gpu_name(validation.header)),
      reason_of(input));
}

}  // namespace pyc::hpc
