// `pyc hpc list`: every candidate with how far it has come.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "base/text.h"
#include "hpc/evidence_index.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

constexpr ListStatus kStatuses[] = {
    {"broken", "kernel.json or a source cannot be read"},
    {"promoted", "in the registry"},
    {"benchmarked", "validated, and benchmarked as it is on disk"},
    {"validated", "passed validation as it is on disk"},
    {"failed", "its newest validation did not pass"},
    {"created", "no evidence of what is on disk"},
};

using Files = std::map<std::pair<std::string, evidence::Kind>, std::vector<std::filesystem::path>>;

// Newest first.
Files files_by_candidate(const workspace::Workspace &workspace) {
  Files files;
  for (const EvidenceFileName &file : evidence_files(workspace))
    files[{file.candidate, file.kind}].push_back(file.path);
  return files;
}

EvidenceState read_state(const Context &context, const std::filesystem::path &path, const std::string &digest) {
  EvidenceState state{context.workspace.relative(path), "unreadable", false};
  if (const auto outline = evidence::read_outline(path)) {
    state.status = evidence::to_string(outline->status);
    state.current = outline->digest == digest;
  }
  return state;
}

// The newest that was run, or a plan if nothing was: a dry run takes nothing back.
std::optional<EvidenceState> newest_state(const Context &context, const Files &files, evidence::Kind kind,
                                          const ListRow &row) {
  const auto found = files.find(std::pair(row.name, kind));
  if (found == files.end()) return std::nullopt;
  std::optional<EvidenceState> planned;
  for (const std::filesystem::path &path : found->second) {
    EvidenceState state = read_state(context, path, row.digest);
    if (state.status != evidence::to_string(evidence::DocumentStatus::kPlanned)) return state;
    if (!planned) planned = std::move(state);
  }
  return planned;
}

bool is_current(const std::optional<EvidenceState> &state, evidence::DocumentStatus status) {
  return state && state->current && state->status == evidence::to_string(status);
}

std::string judge_status(const ListRow &row) {
  using evidence::DocumentStatus;
  if (!row.problem.empty()) return "broken";
  if (row.promoted) return "promoted";
  if (is_current(row.validation, DocumentStatus::kPassed)) {
    return is_current(row.benchmark, DocumentStatus::kCompleted) ? "benchmarked" : "validated";
  }
  const bool failed =
      is_current(row.validation, DocumentStatus::kFailed) || is_current(row.validation, DocumentStatus::kError);
  return failed ? "failed" : "created";
}

ListRow make_row(const Context &context, const workspace::Registry &registry, const Files &files,
                 const std::string &name) {
  ListRow row;
  row.name = name;
  row.promoted = registry.find_name(name) != nullptr;
  if (const auto candidate = workspace::read_candidate(context.workspace, name)) {
    row.selector = candidate->ref.selector;
    row.arch = candidate->ref.arch;
    row.digest = candidate->ref.digest;
  } else {
    row.problem = candidate.error().message;
  }
  row.validation = newest_state(context, files, evidence::Kind::kValidation, row);
  row.benchmark = newest_state(context, files, evidence::Kind::kBenchmark, row);
  row.status = judge_status(row);
  return row;
}

bool wanted(const ListRow &row, const ListOptions &options) {
  return (options.selector.empty() || row.selector == options.selector) &&
         (options.arch.empty() || row.arch == options.arch) && (options.status.empty() || row.status == options.status);
}

Status check_status_name(const std::string &status) {
  std::vector<std::string> names;
  for (const ListStatus &known : kStatuses) names.push_back(known.name);
  if (status.empty() || std::find(names.begin(), names.end(), status) != names.end()) return {};
  return fail(ErrorKind::kInvalid, fmt::format("unknown status '{}'", printable(status)), suggest(status, names));
}

}  // namespace

std::span<const ListStatus> list_statuses() { return kStatuses; }

Result<std::vector<ListRow>> list(const Context &context, const ListOptions &options) {
  PYC_CHECK(check_status_name(options.status));
  PYC_TRY(const workspace::Registry registry, workspace::read_registry(context.workspace));
  const Files files = files_by_candidate(context.workspace);
  std::vector<ListRow> rows;
  for (const std::string &name : workspace::candidate_names(context.workspace)) {
    ListRow row = make_row(context, registry, files, name);
    if (wanted(row, options)) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pyc::hpc
