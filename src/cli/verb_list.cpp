#include <fmt/format.h>

#include "cli/json_output.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

std::string evidence_word(const std::optional<hpc::EvidenceState> &state) {
  if (!state) return "-";
  const bool is_unreadable = state->created_utc.empty();  // of which source it is, nobody can tell
  return state->current || is_unreadable ? state->status : state->status + " (older source)";
}

std::string newest_text(const hpc::ListRow &row) {
  const hpc::EvidenceState *newest = row.newest();
  if (newest == nullptr) return "-";
  const std::string when = newest->created_utc.empty() ? "unknown time" : newest->created_utc.substr(0, 16);
  return fmt::format("{} {}", when, evidence::to_string(newest->kind));
}

std::string describe(const std::vector<hpc::ListRow> &rows) {
  std::vector<std::vector<std::string>> table = {
      {"NAME", "SELECTOR", "ARCH", "STATUS", "VALIDATION", "BENCHMARK", "PROFILE", "NEWEST (UTC)"}};
  for (const hpc::ListRow &row : rows) {
    table.push_back({row.name, row.selector.empty() ? "-" : row.selector, row.arch.empty() ? "-" : row.arch, row.status,
                     evidence_word(row.validation), evidence_word(row.benchmark), evidence_word(row.profile),
                     newest_text(row)});
  }
  return format_table(table);
}

// A promoted kernel that is no longer what was promoted stops the runtime's build: say so here.
std::vector<evidence::Warning> problems(const std::vector<hpc::ListRow> &rows) {
  std::vector<evidence::Warning> warnings;
  for (const hpc::ListRow &row : rows) {
    if (!row.problem.empty()) warnings.push_back({"broken_candidate", row.problem, {}});
    if (row.status != "edited") continue;
    warnings.push_back(
        {"edited_since_promotion", fmt::format("'{}' is not what was promoted: {}", row.name, row.change),
         fmt::format("restore it, and go on in a new candidate: pyc hpc create gemm --from {} --name NEW", row.name)});
  }
  return warnings;
}

}  // namespace

Result<Answer> run_list(const Invocation &invocation) {
  const Values &values = invocation.values;
  PYC_TRY(const std::vector<hpc::ListRow> rows,
          hpc::list(invocation.context, {values.text("--selector"), values.text("--arch"), values.text("--status")}));
  Answer answer;
  if (!rows.empty()) answer.text = describe(rows);
  const bool filtered = values.has("--selector") || values.has("--arch") || values.has("--status");
  if (rows.empty() && filtered) answer.notes = "no candidate passes the filters\n";
  if (rows.empty() && !filtered) answer.notes = "no candidate\nnext: pyc hpc create gemm --name NAME\n";
  answer.warnings = problems(rows);
  answer.json = [rows] { return list_document(rows); };
  return answer;
}

}  // namespace pyc::cli
