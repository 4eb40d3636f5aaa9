#include <algorithm>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using workspace::Record;

std::string requires_text(const workspace::Requires &bounds) {
  return fmt::format(
      "m, n, k multiples of {}, {}, {}; pointers aligned to {} bytes; leading dimensions multiples of {}",
      bounds.m_multiple, bounds.n_multiple, bounds.k_multiple, bounds.pointer_alignment, bounds.ld_multiple);
}

Rows contract_rows(const hpc::ShowResult &result) {
  const auto &contract = result.candidate.contract;
  std::vector<std::string> parameters, shapes;
  for (const auto &[key, value] : contract.template_parameters) parameters.push_back(fmt::format("{}={}", key, value));
  for (const evidence::Shape &shape : contract.timed_shapes()) shapes.push_back(to_string(shape));
  const evidence::Tolerance tolerance = contract.effective_tolerance();
  return {{"name", contract.name},
          {"status", result.status},
          {"selector", result.candidate.ref.selector},
          {"arch", contract.arch},
          {"kind", contract.kind},
          {"template", contract.template_name.empty() ? "-" : contract.template_name + "  " + join(parameters, " ")},
          {"symbol", contract.symbol},
          {"digest", result.candidate.ref.digest},
          {"shapes", join(shapes, " ")},
          {"tolerance", fmt::format("absolute {:g}, relative {:g}", tolerance.absolute, tolerance.relative)},
          {"requires", requires_text(contract.requirements)},
          {"workspace", contract.workspace ? "asks for one" : "none"}};
}

void add_runtime_rows(const hpc::ShowResult &result, Rows &rows) {
  const auto &runtime = result.candidate.contract.runtime;
  if (!runtime.registers_per_thread) return;
  rows.push_back({"registers", fmt::format("{} per thread, pressure {}", *runtime.registers_per_thread,
                                           runtime.register_pressure.value_or("unknown"))});
  rows.push_back({"shared", fmt::format("{} bytes per block", runtime.shared_memory_bytes.value_or(0))});
  rows.push_back({"occupancy", fmt::format("{:.0f} %", 100 * runtime.occupancy_estimate.value_or(0))});
  if (runtime.stack_bytes) {
    rows.push_back({"stack", fmt::format("{} bytes per thread; registers spilled: {} bytes", *runtime.stack_bytes,
                                         runtime.spill_bytes.value_or(0))});
  }
  if (runtime.deterministic) {
    rows.push_back({"repeats", *runtime.deterministic ? "give the same bits" : "give other bits: not deterministic"});
  }
}

std::string ratio_text(const std::optional<workspace::RatioInterval> &ratio) {
  return ratio ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->estimate, ratio->low, ratio->high) : "bootstrap";
}

std::string microseconds(const std::optional<double> &time_ns) {
  return time_ns ? fmt::format("{:.2f}", *time_ns / 1e3) : "-";
}

void add_registry_row(const hpc::ShowResult &result, Rows &rows) {
  if (result.former_record) {
    rows.push_back({"registry", fmt::format("promoted {}, since replaced by '{}'", result.former_record->promoted_utc,
                                            result.replaced_in->record.name)});
  } else if (result.registry_entry) {
    const Record &record = result.registry_entry->record;
    const bool same = record.digest == result.candidate.ref.digest;
    rows.push_back(
        {"registry",
         fmt::format("promoted {} on {}{}", record.promoted_utc, record.evidence.gpu_name,
                     same ? "" : ", with another digest than the one on disk: " + short_digest(record.digest))});
  } else {
    rows.push_back({"registry", "not promoted"});
  }
}

// What the promotion rests on, shape by shape.
std::string promotion_table(const Record &record) {
  const workspace::EvidenceSummary &evidence = record.evidence;
  Rows rows = {{"SHAPE", "MEDIAN us", "INCUMBENT us", "INCUMBENT/CANDIDATE (95 %)", "cuBLASLt us"}};
  for (const workspace::ShapeEvidence &shape : evidence.shapes) {
    rows.push_back({to_string(shape.shape), microseconds(shape.median_ns), microseconds(shape.incumbent_median_ns),
                    shape.ratio_to_incumbent ? ratio_text(shape.ratio_to_incumbent) : "-",
                    microseconds(shape.cublaslt_median_ns)});
  }
  return fmt::format("\npromoted on {} (driver {}, nvcc {}): {}\n", evidence.gpu_name, evidence.driver,
                     evidence.nvcc_version, ratio_text(evidence.ratio_to_incumbent)) +
         format_table(rows, {1, 2, 3, 4});
}

// Who held the place of this selector and arch, newest first.
std::string history_table(const hpc::ShowResult &result) {
  const auto &entry = result.registry_entry ? result.registry_entry : result.replaced_in;
  if (!entry || (entry->history.empty() && result.registry_entry)) return {};
  Rows rows = {{"HISTORY", "PROMOTED", "RATIO TO THE ONE BEFORE", "GPU", "DIGEST"}};
  const auto add = [&](const Record &record) {
    rows.push_back({record.name, record.promoted_utc, ratio_text(record.evidence.ratio_to_incumbent),
                    record.evidence.gpu_name, short_digest(record.digest)});
  };
  add(entry->record);
  for (const Record &record : entry->history) add(record);
  return "\n" + format_table(rows);
}

std::string refused_lines(const evidence::PromotionAttempt &attempt) {
  std::vector<std::string> refused;
  for (const evidence::PromotionLine &line : attempt.lines) {
    if (!line.passed) refused.push_back(fmt::format("{} {}", line.number, printable(line.title)));
  }
  return refused.empty() ? "-" : join(refused, ", ");
}

std::string attempt_table(const hpc::ShowResult &result) {
  if (result.attempts.empty()) return {};
  Rows rows = {{"ATTEMPT TO PROMOTE", "VERDICT", "AGAINST", "REFUSED AT", "SOURCE"}};
  for (const evidence::PromotionAttempt &attempt : result.attempts) {
    const std::string unfinished = attempt.outcome == "accepted" ? ", but not completed" : "";
    rows.push_back({printable(attempt.created_utc), printable(attempt.verdict) + unfinished,
                    attempt.incumbent.empty() ? "-" : printable(attempt.incumbent), refused_lines(attempt),
                    attempt.digest == result.candidate.ref.digest ? "as on disk" : "older"});
  }
  return "\n" + format_table(rows);
}

std::string evidence_table(const Invocation &invocation, const hpc::ShowResult &result) {
  if (result.evidence.empty()) return "\nno evidence yet\n";
  Rows rows = {{"EVIDENCE", "STATUS", "CREATED", "OUTCOME", "SOURCE"}};
  for (const hpc::ShownEvidence &one : result.evidence) {
    const evidence::Header &header = one.summary.header;
    rows.push_back({printed_path(invocation.context, one.summary.path), evidence::to_string(header.status),
                    header.created_utc, one.outcome.empty() ? "-" : printable(one.outcome),
                    one.current ? "as on disk" : "older: " + one.change});
  }
  return "\n" + format_table(rows);
}

std::string describe(const Invocation &invocation, const hpc::ShowResult &result) {
  Rows rows = contract_rows(result);
  add_runtime_rows(result, rows);
  add_registry_row(result, rows);
  std::string text = format_table(rows);
  if (result.registry_entry) text += promotion_table(result.registry_entry->record);
  return text + history_table(result) + attempt_table(result) + evidence_table(invocation, result);
}

}  // namespace

Result<Answer> run_show(const Invocation &invocation) {
  PYC_TRY(const hpc::ShowResult result, hpc::show(invocation.context, invocation.values.text("--name")));
  Answer answer;
  answer.text = describe(invocation, result);
  answer.notes = result.next.empty() ? "" : "next: " + result.next + "\n";
  answer.json = [result] { return show_document(result); };
  return answer;
}

}  // namespace pyc::cli
