#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/run_flags.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

constexpr int kShownFailures = 5;

// Whether --large added the shape.
bool is_large(const evidence::ShapeValidation &shape) {
  return std::any_of(shape.checks.begin(), shape.checks.end(),
                     [](const evidence::Check &check) { return check.check == "large"; });
}

// The command that shows the failure again: at its shape alone, but for one that only --large tries.
std::string reproduction(const evidence::Validation &document, const evidence::ShapeValidation &shape) {
  return fmt::format("  again: pyc hpc validate --name {} {} --seed {}\n", document.header.candidate.name,
                     is_large(shape) ? "--large" : "--shape " + to_string(shape.shape), document.seed);
}

std::string describe_check(const evidence::ShapeValidation &shape, const evidence::Check &check) {
  std::string line = fmt::format("{}: check '{}'{}", to_string(shape.shape), check.check,
                                 check.variant.empty() ? "" : " (" + check.variant + ")");
  if (!check.reason.empty()) line += ": " + check.reason;
  if (check.violations > 0) line += fmt::format("; {} of {} elements", check.violations, check.elements);
  if (check.first) {
    line += fmt::format("; first at row {}, column {}: expected {}, got {}, off by {}", check.first->row,
                        check.first->column, check.first->expected, check.first->got, check.first->error);
    if (check.first->tile_row && check.first->tile_column)
      line += fmt::format(", in tile ({}, {})", *check.first->tile_row, *check.first->tile_column);
  }
  return line + "\n";
}

// The first failed check of each shape that failed, a few of them.
std::string describe_failures(const evidence::Validation &document, const Style &style) {
  std::string text;
  int shown = 0;
  for (const evidence::ShapeValidation &shape : document.shapes) {
    const auto failed = std::find_if(shape.checks.begin(), shape.checks.end(),
                                     [](const evidence::Check &check) { return check.status == "failed"; });
    if (failed == shape.checks.end()) continue;
    if (++shown > kShownFailures) continue;
    text += style.bad("failed:") + " " + describe_check(shape, *failed) + reproduction(document, shape);
  }
  if (shown > kShownFailures)
    text += fmt::format("and {} more shapes; the evidence has them all\n", shown - kShownFailures);
  return text;
}

// The checks that --quick did without, each once.
std::string left_out(const evidence::Validation &document) {
  if (document.depth != "quick") return {};
  std::vector<std::string> names;
  for (const evidence::ShapeValidation &shape : document.shapes) {
    for (const evidence::Check &check : shape.checks) {
      const bool known = std::find(names.begin(), names.end(), check.check) != names.end();
      if (check.status == "skipped" && !known) names.push_back(check.check);
    }
  }
  return names.empty() ? "" : fmt::format("left out: {}\n", fmt::join(names, ", "));
}

// Of an imported candidate: how its own program ended, and what it measured.
std::string own_summary(const evidence::OwnHarness &own, const std::string &status) {
  std::string text = fmt::format("{}: by its own program, {}\n", status, own.ended.empty() ? "not run" : own.ended);
  if (own.best_ms) text += fmt::format("it says: best {:.4f} ms\n", *own.best_ms);
  if (own.gflops) text += fmt::format("it says: {:.1f} GFLOP/s\n", *own.gflops);
  return text;
}

// "; racecheck failed at 129x131x67", or nothing.
std::string sanitizer_failures(const evidence::Validation &document) {
  std::string text;
  for (const evidence::Check &tool : document.sanitizers)
    if (tool.status == "failed") text += fmt::format("; {} failed at {}", tool.check, tool.variant);
  return text;
}

std::string summary(const evidence::Validation &document, const Style &style) {
  if (document.own_harness)
    return own_summary(*document.own_harness, style.bold(evidence::to_string(document.header.status)));
  if (document.header.status == evidence::DocumentStatus::kPlanned) {
    return fmt::format("planned: {}\n", counted(document.shapes.size(), "shape"));
  }
  const auto finished = std::count_if(document.shapes.begin(), document.shapes.end(),
                                      [](const auto &shape) { return shape.status == "passed"; });
  const bool ended_early = document.header.status == evidence::DocumentStatus::kError;
  const std::string status = ended_early ? "ended early" : evidence::to_string(document.header.status);
  const std::string gpu = document.header.gpu ? " on " + document.header.gpu->name : "";
  return fmt::format("{}: {} of {} shapes passed{}{}\n", style.bold(status), finished, document.shapes.size(), gpu,
                     sanitizer_failures(document));
}

}  // namespace

Result<Answer> run_validate(const Invocation &invocation) {
  hpc::ValidateOptions options;
  PYC_CHECK(read_run_flags(invocation.values, options));
  options.quick = invocation.values.has("--quick");
  options.large = invocation.values.has("--large");
  options.sanitize = invocation.values.has("--sanitize");
  PYC_TRY(const hpc::RunResult<evidence::Validation> result, hpc::validate(invocation.context, options));
  Answer answer;
  const std::string path = printed_path(invocation.context, result.evidence_path);
  answer.text = path + "\n";
  answer.notes = summary(result.document, invocation.style) + left_out(result.document) +
                 describe_failures(result.document, invocation.style);
  answer.warnings = result.document.header.warnings;
  answer.failure = result.failure;
  answer.json = [result, path] { return run_document(path, to_json(result.document), result.failure); };
  return answer;
}

}  // namespace pyc::cli
