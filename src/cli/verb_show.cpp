#include <fmt/format.h>

#include "base/text.h"
#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows contract_rows(const hpc::ShowResult &result) {
  const auto &contract = result.candidate.contract;
  std::vector<std::string> parameters, shapes;
  for (const auto &[key, value] : contract.template_parameters) parameters.push_back(fmt::format("{}={}", key, value));
  for (const evidence::Shape &shape : contract.timed_shapes()) shapes.push_back(to_string(shape));
  const evidence::Tolerance tolerance = contract.effective_tolerance();
  return {{"name", contract.name},
          {"selector", result.candidate.ref.selector},
          {"arch", contract.arch},
          {"kind", contract.kind},
          {"template", contract.template_name.empty() ? "-" : contract.template_name + "  " + join(parameters, " ")},
          {"symbol", contract.symbol},
          {"digest", result.candidate.ref.digest},
          {"shapes", join(shapes, " ")},
          {"tolerance", fmt::format("absolute {:g}, relative {:g}", tolerance.absolute, tolerance.relative)}};
}

void add_runtime_rows(const hpc::ShowResult &result, Rows &rows) {
  const auto &runtime = result.candidate.contract.runtime;
  if (!runtime.registers_per_thread) return;
  rows.push_back({"registers", fmt::format("{} per thread, pressure {}", *runtime.registers_per_thread,
                                           runtime.register_pressure.value_or("unknown"))});
  rows.push_back({"shared", fmt::format("{} bytes per block", runtime.shared_memory_bytes.value_or(0))});
  rows.push_back({"occupancy", fmt::format("{:.0f} %", 100 * runtime.occupancy_estimate.value_or(0))});
}

void add_registry_row(const hpc::ShowResult &result, Rows &rows) {
  if (!result.registry_entry) {
    rows.push_back({"registry", "not promoted"});
    return;
  }
  const auto &record = result.registry_entry->record;
  const bool same = record.digest == result.candidate.ref.digest;
  rows.push_back({"registry", fmt::format("promoted {} on {}{}", record.promoted_utc, record.evidence.gpu_name,
                                          same ? "" : " (the digest on disk is another one)")});
}

std::string evidence_table(const Invocation &invocation, const hpc::ShowResult &result) {
  if (result.evidence.empty()) return "no evidence yet\n";
  Rows rows = {{"EVIDENCE", "STATUS", "CREATED", "SOURCE"}};
  for (const evidence::Summary &summary : result.evidence) {
    const bool current = summary.header.candidate.digest == result.candidate.ref.digest;
    rows.push_back({printed_path(invocation.context, summary.path), evidence::to_string(summary.header.status),
                    summary.header.created_utc, current ? "as on disk" : "older"});
  }
  return format_table(rows);
}

}  // namespace

Result<Answer> run_show(const Invocation &invocation) {
  PYC_TRY(const hpc::ShowResult result, hpc::show(invocation.context, invocation.values.text("--name")));
  Rows rows = contract_rows(result);
  add_runtime_rows(result, rows);
  add_registry_row(result, rows);
  Answer answer;
  answer.text = format_table(rows) + "\n" + evidence_table(invocation, result);
  answer.json = [result] { return show_document(result); };
  return answer;
}

}  // namespace pyc::cli
