// `pyc hpc show`: the whole story of one candidate: contract, evidence, attempts to promote it, registry, history.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/process.h"
#include "base/text.h"
#include "hpc/bench_summary.h"
#include "hpc/candidate_row.h"
#include "hpc/evidence_index.h"
#include "hpc/profile_summary.h"
#include "hpc/verbs.h"
#include "stats/statistics.h"

namespace pyc::hpc {
namespace {

std::string outcome_of(const evidence::Validation &document) {
  const int shapes = static_cast<int>(document.shapes.size());
  return fmt::format("{} of {} shapes passed{}", shapes - document.failed_shapes(), shapes,
                     document.depth == "quick" ? ", quick" : "");
}

std::string outcome_of(const evidence::Benchmark &document) {
  std::vector<double> incumbent, cublaslt;
  for (const BenchRow &row : summarize(document)) {
    if (row.incumbent) incumbent.push_back(row.incumbent->estimate);
    if (row.cublaslt_ratio) cublaslt.push_back(*row.cublaslt_ratio);
  }
  std::string text = counted(document.shapes.size(), "shape");
  if (const auto ratio = stats::geometric_mean(incumbent)) text += fmt::format(", incumbent/candidate {:.3f}", *ratio);
  if (const auto ratio = stats::geometric_mean(cublaslt)) text += fmt::format(", cuBLASLt/candidate {:.3f}", *ratio);
  return text;
}

std::string outcome_of(const evidence::Profile &document) {
  if (!document.default_metrics) return document.run.ended;
  std::string text = to_string(document.shape);
  for (const evidence::ProfiledKernel &kernel : document.kernels) {
    const ProfileRow row = summarize(kernel);
    if (row.time_ns) text += fmt::format(", {:.2f} us", *row.time_ns / 1e3);
    if (row.compute) text += fmt::format(" at {:.1f} % of peak compute", *row.compute * 100);
  }
  return text;
}

template <class Document>
std::string outcome_or_nothing(const Result<Document> &document) {
  return document ? outcome_of(*document) : std::string();
}

// Reads the whole document, which may hold megabytes of samples.
std::string read_outcome(const evidence::Summary &summary) {
  const bool ran = summary.header.status != evidence::DocumentStatus::kPlanned;
  if (!ran) return {};
  if (!summary.header.error.empty()) return summary.header.error;
  switch (summary.header.kind) {
    case evidence::Kind::kValidation: return outcome_or_nothing(evidence::read_validation(summary.path));
    case evidence::Kind::kBenchmark: return outcome_or_nothing(evidence::read_benchmark(summary.path));
    case evidence::Kind::kProfile: return outcome_or_nothing(evidence::read_profile(summary.path));
  }
  return {};
}

std::vector<ShownEvidence> read_evidence(const Context &context, const workspace::Candidate &candidate) {
  std::vector<ShownEvidence> shown;
  std::set<evidence::Kind> told;
  for (const EvidenceFileName &file : evidence_files(context.workspace)) {
    if (file.candidate != candidate.ref.name) continue;
    auto summary = evidence::read_summary(file.path);
    if (!summary) continue;
    ShownEvidence one{std::move(*summary), false, {}, {}};
    one.current = one.summary.header.candidate.digest == candidate.ref.digest;
    if (!one.current) one.change = change_since(one.summary.header, candidate);
    if (told.insert(file.kind).second) one.outcome = read_outcome(one.summary);
    shown.push_back(std::move(one));
  }
  return shown;
}

std::vector<evidence::PromotionAttempt> read_attempts(const Context &context, const std::string &name) {
  std::vector<evidence::PromotionAttempt> attempts;
  std::error_code error;
  for (std::filesystem::directory_iterator at(context.workspace.results(), error), end; !error && at != end;
       at.increment(error)) {
    if (!evidence::is_promotion_file_of(at->path().filename().string(), name)) continue;
    if (auto attempt = evidence::read_promotion(at->path())) attempts.push_back(std::move(*attempt));
  }
  std::sort(attempts.begin(), attempts.end(),
            [](const auto &a, const auto &b) { return a.created_utc > b.created_utc; });
  return attempts;
}

std::string promote_command(const ListRow &row, bool bootstrap) {
  std::vector<std::string> words = {"pyc",
                                    "hpc",
                                    "promote",
                                    "--name",
                                    row.name,
                                    "--validation-result",
                                    row.validation->path,
                                    "--benchmark-result",
                                    row.benchmark->path};
  if (bootstrap) words.emplace_back("--bootstrap");
  return quote_command(words);
}

std::string next_command(const ListRow &row, const workspace::Registry &registry) {
  if (row.status == "created" || row.status == "failed") return "pyc hpc validate --name " + row.name;
  if (row.status == "validated") return "pyc hpc bench --name " + row.name;
  if (row.status == "benchmarked") return promote_command(row, registry.find(row.selector, row.arch) == nullptr);
  if (row.imported) return "pyc hpc validate --name " + row.name;
  if (row.status == "edited") return fmt::format("git checkout -- kernels/prototypes/{}", row.name);
  return fmt::format("pyc hpc create gemm --from {} --name NEW", row.name);
}

}  // namespace

Result<ShowResult> show(const Context &context, const std::string &name) {
  PYC_CHECK(workspace::require_candidate(context.workspace, name));
  ShowResult result;
  PYC_TRY(result.candidate, workspace::read_candidate(context.workspace, name));
  PYC_TRY(const workspace::Registry registry, workspace::read_registry(context.workspace));
  const Promotion promotion = find_promotion(registry, name);
  if (promotion.current != nullptr) result.registry_entry = *promotion.entry;
  if (promotion.former != nullptr) result.replaced_in = *promotion.entry, result.former_record = *promotion.former;
  result.evidence = read_evidence(context, result.candidate);
  result.attempts = read_attempts(context, name);
  const ListRow row = candidate_row(context, registry, evidence_by_candidate(context.workspace), name);
  result.status = row.status;
  result.next = next_command(row, registry);
  return result;
}

}  // namespace pyc::hpc
