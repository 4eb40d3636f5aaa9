// `pyc hpc validate`: does the candidate compute the right answer at every shape?
#include <algorithm>
#include <fmt/format.h>

#include "hpc/imported.h"
#include "hpc/large_shapes.h"
#include "hpc/recorded_run.h"
#include "hpc/runtime_figures.h"
#include "hpc/sanitize.h"
#include "hpc/verbs.h"
#include "workspace/families.h"

namespace pyc::hpc {
namespace {

using evidence::Validation;

void take_shapes(Validation &document, const evidence::HarnessTranscript &transcript) {
  document.shapes = transcript.validations();
}

// In which tile of C the first wrong elements lie, where the candidate's parameters say how large its tiles are.
void name_tiles(Validation &document, const workspace::Contract &contract) {
  const auto &parameters = contract.template_parameters;
  const auto tile_m = parameters.find("tile_m"), tile_n = parameters.find("tile_n");
  if (tile_m == parameters.end() || tile_n == parameters.end() || tile_m->second < 1 || tile_n->second < 1) return;
  for (evidence::ShapeValidation &shape : document.shapes) {
    for (evidence::Check &check : shape.checks) {
      if (!check.first) continue;
      check.first->tile_row = check.first->row / tile_m->second;
      check.first->tile_column = check.first->column / tile_n->second;
    }
  }
}

// Those of the family that the candidate's `requires` admits.
void add_large_shapes(RunPlan &plan) {
  const auto family = workspace::family_of_name(plan.candidate.contract.shape_family);
  const workspace::Requires &rules = plan.candidate.contract.requirements;
  bool any = false;
  for (const evidence::Shape &shape : family ? large_shapes(*family) : std::vector<evidence::Shape>{}) {
    if (!admits(rules, shape)) continue;
    plan.request.shapes.push_back({shape, false, true});
    any = true;
  }
  if (any) return;
  plan.warnings.push_back({"no_large_shape",
                           fmt::format("no problem of the family '{}' that the candidate serves is known to have an "
                                       "operand of more than 2^31 elements",
                                       plan.candidate.contract.shape_family),
                           "--large adds nothing here"});
}

// Takes out those that no GPU here can hold. One that is too large for what is free just now ends the run instead.
void fit_large_shapes(RunPlan &plan, const Machine &machine) {
  const std::int64_t memory_bytes = most_memory_bytes(machine);
  if (memory_bytes == 0) return;
  auto &shapes = plan.request.shapes;
  const auto too_large = [&](const evidence::HarnessRequest::RequestedShape &requested) {
    const std::int64_t needed_bytes = large_shape_bytes(requested.shape, plan.request.dtype);
    if (!requested.large || needed_bytes <= memory_bytes) return false;
    plan.warnings.push_back(
        {"large_shape_left_out",
         fmt::format("{} needs {:.1f} GB, and the GPU has {:.1f} GB", to_string(requested.shape),
                     static_cast<double>(needed_bytes) * 1e-9, static_cast<double>(memory_bytes) * 1e-9),
         "that operand's offsets are not tested here; a GPU with more memory can"});
    return true;
  };
  shapes.erase(std::remove_if(shapes.begin(), shapes.end(), too_large), shapes.end());
}

Validation planned(const Context &context, const RunPlan &plan) {
  Validation document;
  document.header = planned_header(context, plan.candidate, evidence::Kind::kValidation);
  document.header.warnings = plan.warnings;
  document.header.toolchain.flags = workspace::kernel_flags(*toolchain::find_arch(plan.candidate.contract.arch));
  document.seed = plan.request.seed;
  document.tolerance = plan.request.tolerance;
  document.depth = plan.request.depth;
  take_shapes(document, evidence::HarnessTranscript(plan.request));
  return document;
}

// Keeps the measured figures beside the contract. The validation stands whether or not that succeeds.
void keep_figures(const Context &context, const workspace::Contract &contract, Validation &document) {
  const auto figures = measured_figures(document, contract.runtime);
  if (!figures) return;
  const Status written = workspace::write_runtime_figures(context.workspace, contract.name, *figures);
  if (written) return;
  document.header.warnings.push_back({"runtime_figures_not_written", written.error().message, written.error().hint});
}

// `again`: the command that shows what a sanitizer found.
std::optional<Error> failure_of(const std::string &name, const Validation &document, const std::string &again) {
  if (const int failed = document.failed_shapes(); failed > 0) {
    return Error{
        ErrorKind::kNo, fmt::format("'{}' failed at {} of {} shapes", name, failed, document.shapes.size()), {}};
  }
  for (const evidence::Check &check : document.sanitizers) {
    if (check.status != "failed") continue;
    return Error{ErrorKind::kNo,
                 fmt::format("'{}' failed {} at {}: {}", name, check.check, check.variant, check.reason),
                 again.empty() ? "" : "again: " + again};
  }
  return std::nullopt;
}

std::optional<Error> conclude(const Context &context, const workspace::Contract &contract, const std::string &again,
                              Validation &document) {
  if (auto failure = failure_of(contract.name, document, again)) {
    document.header.status = evidence::DocumentStatus::kFailed;
    return failure;
  }
  document.header.status = evidence::DocumentStatus::kPassed;
  keep_figures(context, contract, document);
  return std::nullopt;
}

// A tool that cannot look leaves the document's status at `error`: what was asked for was not done. Only a candidate
// that has failed already has failed all the same.
std::optional<Error> conclude_sanitized(const Context &context, const workspace::Contract &contract,
                                        const Sanitized &sanitized, Validation &document) {
  document.sanitizers = sanitized.checks;
  if (!sanitized.blind) return conclude(context, contract, sanitized.again, document);
  const Error &blind = *sanitized.blind;
  const bool has_failed = failure_of(contract.name, document, {}).has_value();
  if (blind.kind == ErrorKind::kUnavailable && has_failed) {
    document.header.warnings.push_back({"not_sanitized", blind.message, blind.hint});
    return conclude(context, contract, sanitized.again, document);
  }
  document.header.error = blind.message;
  return blind;
}

Result<RunPlan> plan_validation(const Context &context, const ValidateOptions &options) {
  PYC_TRY(RunPlan plan, plan_run(context, "validate", options, true));
  if (options.quick) plan.request.depth = "quick";
  if (options.large) add_large_shapes(plan);
  return plan;
}

// They refer to all that is given, which has to outlive them.
RunSteps<Validation> steps_of(const Context &context, const Machine &machine, const workspace::CandidateBuild &build,
                              const workspace::Contract &contract, bool sanitized) {
  const auto take = [&](Validation &running, const evidence::HarnessTranscript &transcript) {
    take_shapes(running, transcript);
    name_tiles(running, contract);
  };
  const auto conclude_run = [&, sanitized](Validation &ended) {
    if (!sanitized) return conclude(context, contract, {}, ended);
    return conclude_sanitized(context, contract, sanitize(context, machine, build, contract), ended);
  };
  return {take, conclude_run};
}

}  // namespace

Result<RunResult<Validation>> validate(const Context &context, const ValidateOptions &options) {
  PYC_CHECK(workspace::require_candidate(context.workspace, options.name));
  PYC_TRY(const workspace::Candidate candidate, workspace::read_candidate(context.workspace, options.name));
  if (candidate.contract.is_imported()) return validate_imported(context, candidate, options);
  PYC_TRY(RunPlan plan, plan_validation(context, options));
  if (options.dry_run) return record_plan(context, planned(context, plan));
  PYC_TRY(const Machine machine, prepare_machine(context, plan.candidate));
  fit_large_shapes(plan, machine);
  Validation document = planned(context, plan);
  PYC_TRY(const workspace::CandidateBuild build, build_on(context, machine, plan.candidate));
  document.ptxas = ptxas_figures(build.compiler_log);
  return record_run<Validation>(context, machine, build, plan.request, options.silence_limit, std::move(document),
                                steps_of(context, machine, build, plan.candidate.contract, options.sanitize));
}

}  // namespace pyc::hpc
