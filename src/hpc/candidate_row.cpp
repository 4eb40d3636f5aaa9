#include "hpc/candidate_row.h"

#include <fmt/format.h>

#include "base/text.h"
#include "hpc/evidence_index.h"

namespace pyc::hpc {
namespace {

using evidence::DocumentStatus;

constexpr const char *kUnreadable = "unreadable";

EvidenceState read_state(const Context &context, const std::filesystem::path &path, const std::string &digest,
                         evidence::Kind kind) {
  EvidenceState state{context.workspace.relative(path), kUnreadable, false, kind, {}};
  if (const auto outline = evidence::read_outline(path)) {
    state.status = evidence::to_string(outline->status);
    state.current = outline->digest == digest;
    state.created_utc = outline->created_utc;
  }
  return state;
}

// The newest that was run; where there is none, the newest plan or file that cannot be read: neither takes anything
// back.
std::optional<EvidenceState> newest_state(const Context &context, const EvidenceByCandidate &files, evidence::Kind kind,
                                          const ListRow &row) {
  const auto found = files.find(std::pair(row.name, kind));
  if (found == files.end()) return std::nullopt;
  std::optional<EvidenceState> says_nothing;
  for (const std::filesystem::path &path : found->second) {
    EvidenceState state = read_state(context, path, row.digest, kind);
    if (state.status != evidence::to_string(DocumentStatus::kPlanned) && state.status != kUnreadable) return state;
    if (!says_nothing) says_nothing = std::move(state);
  }
  return says_nothing;
}

bool is_current(const std::optional<EvidenceState> &state, DocumentStatus status) {
  return state && state->current && state->status == evidence::to_string(status);
}

// By evidence of what is on disk alone.
std::string judge_evidence(const ListRow &row) {
  if (is_current(row.validation, DocumentStatus::kPassed)) {
    return is_current(row.benchmark, DocumentStatus::kCompleted) ? "benchmarked" : "validated";
  }
  const bool failed =
      is_current(row.validation, DocumentStatus::kFailed) || is_current(row.validation, DocumentStatus::kError);
  return failed ? "failed" : "created";
}

std::string judge_status(const ListRow &row, const Promotion &promotion) {
  if (!row.problem.empty()) return "broken";
  if (promotion.current != nullptr) return promotion.current->digest == row.digest ? "promoted" : "edited";
  if (row.imported) return "imported";
  std::string status = judge_evidence(row);
  const bool was_promoted = promotion.former != nullptr && promotion.former->digest == row.digest;
  return status == "created" && was_promoted ? "replaced" : status;
}

}  // namespace

const EvidenceState *ListRow::newest() const {
  const EvidenceState *newest = nullptr;
  for (const auto *state : {&validation, &benchmark, &profile}) {
    if (*state && (newest == nullptr || newest->created_utc < (*state)->created_utc)) newest = &**state;
  }
  return newest;
}

EvidenceByCandidate evidence_by_candidate(const workspace::Workspace &workspace) {
  EvidenceByCandidate files;
  for (const EvidenceFileName &file : evidence_files(workspace))
    files[{file.candidate, file.kind}].push_back(file.path);
  return files;
}

Promotion find_promotion(const workspace::Registry &registry, const std::string &name) {
  Promotion promotion;
  if (const workspace::Entry *entry = registry.find_name(name)) {
    promotion.entry = entry;
    promotion.current = &entry->record;
    return promotion;
  }
  for (const workspace::Entry &entry : registry.entries) {
    for (const workspace::Record &record : entry.history) {
      if (record.name != name || promotion.former != nullptr) continue;
      promotion.entry = &entry;
      promotion.former = &record;
    }
  }
  return promotion;
}

std::string change_since_promotion(const workspace::Candidate &candidate, const workspace::Record &record) {
  if (candidate.ref.digest == record.digest) return {};
  return candidate.kernel_source_sha256 == record.source_sha256
             ? "kernel.cu is the same, but a header, harness.cu, kernel.json or the flags have changed"
             : "kernel.cu has changed";
}

ListRow candidate_row(const Context &context, const workspace::Registry &registry, const EvidenceByCandidate &files,
                      const std::string &name) {
  const Promotion promotion = find_promotion(registry, name);
  ListRow row;
  row.name = name;
  row.promoted = promotion.current != nullptr;
  if (const auto candidate = workspace::read_candidate(context.workspace, name)) {
    row.selector = candidate->ref.selector;
    row.arch = candidate->ref.arch;
    row.digest = candidate->ref.digest;
    row.imported = candidate->contract.is_imported();
    if (promotion.current != nullptr) row.change = change_since_promotion(*candidate, *promotion.current);
  } else {
    row.problem = candidate.error().message;
    if (promotion.current != nullptr) {
      row.problem = fmt::format("'{}' is promoted, and its folder cannot be read: {}", name, row.problem);
      row.selector = promotion.current->selector();
      row.arch = promotion.current->arch;
    }
  }
  row.validation = newest_state(context, files, evidence::Kind::kValidation, row);
  row.benchmark = newest_state(context, files, evidence::Kind::kBenchmark, row);
  row.profile = newest_state(context, files, evidence::Kind::kProfile, row);
  row.status = judge_status(row, promotion);
  return row;
}

std::string change_since(const evidence::Header &header, const workspace::Candidate &candidate) {
  for (const evidence::FileHash &file : header.candidate.files) {
    const evidence::FileHash *now = candidate.find_file(file.path);
    if (!now) return printable(file.path) + " is gone";
    if (now->sha256 != file.sha256) return printable(file.path) + " has changed";
  }
  return "kernel.json, the flags or the set of files has changed";
}

}  // namespace pyc::hpc
