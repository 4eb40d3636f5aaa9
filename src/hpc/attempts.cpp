#include "hpc/attempts.h"

#include <algorithm>
#include <system_error>

#include "base/files.h"
#include "base/hash.h"
#include "evidence/promotion.h"
#include "hpc/evidence_index.h"

namespace pyc::hpc {
namespace {

namespace fs = std::filesystem;

bool timed_against(const evidence::Benchmark &benchmark, const std::string &incumbent_digest) {
  return std::any_of(benchmark.shapes.begin(), benchmark.shapes.end(), [&](const evidence::ShapeBenchmark &shape) {
    const evidence::Arm *arm = shape.find("incumbent");
    return arm != nullptr && arm->digest == incumbent_digest && !arm->cold_ns.empty();
  });
}

void add_benchmarks(const Context &context, const evidence::CandidateRef &candidate,
                    const std::string &incumbent_digest, std::set<std::string> &hashes) {
  for (const EvidenceFileName &file : evidence_files(context.workspace)) {
    if (file.kind != evidence::Kind::kBenchmark || file.candidate != candidate.name) continue;
    const auto outline = evidence::read_outline(file.path);
    if (!outline || outline->digest != candidate.digest) continue;
    const auto benchmark = evidence::read_benchmark(file.path);
    if (!benchmark || !timed_against(*benchmark, incumbent_digest)) continue;
    if (const auto hash = sha256_file(file.path)) hashes.insert(*hash);
  }
}

void add_traces(const Context &context, const evidence::CandidateRef &candidate, const std::string &incumbent_digest,
                std::set<std::string> &hashes) {
  std::error_code error;
  for (fs::directory_iterator at(context.workspace.results(), error), end; !error && at != end; at.increment(error)) {
    if (!evidence::is_promotion_file_of(at->path().filename().string(), candidate.name)) continue;
    const auto trace = evidence::read_promotion_trace(at->path());
    if (trace && trace->digest == candidate.digest && trace->incumbent_digest == incumbent_digest)
      hashes.insert(trace->benchmark_sha256);
  }
}

Result<evidence::FileHash> hash_of(const Context &context, const fs::path &path) {
  PYC_TRY(std::string hash, sha256_file(path));
  return evidence::FileHash{context.workspace.relative(fs::absolute(path)), std::move(hash)};
}

}  // namespace

int count_attempts(const Context &context, const evidence::CandidateRef &candidate, const workspace::Record *incumbent,
                   const fs::path &presented) {
  if (incumbent == nullptr) return 1;
  std::set<std::string> hashes;
  add_benchmarks(context, candidate, incumbent->digest, hashes);
  add_traces(context, candidate, incumbent->digest, hashes);
  if (const auto hash = sha256_file(presented)) hashes.insert(*hash);
  return std::max(1, static_cast<int>(hashes.size()));
}

Result<fs::path> keep_attempt(const Context &context, const PromoteOptions &options,
                              const evidence::CandidateRef &candidate, const workspace::Record *incumbent,
                              const GateReport &report) {
  evidence::PromotionAttempt attempt;
  attempt.created_utc = utc_iso(context.now());
  attempt.name = candidate.name;
  attempt.selector = candidate.selector;
  attempt.arch = candidate.arch;
  attempt.digest = candidate.digest;
  if (incumbent != nullptr) attempt.incumbent = incumbent->name, attempt.incumbent_digest = incumbent->digest;
  PYC_TRY(attempt.validation, hash_of(context, options.validation_result));
  PYC_TRY(attempt.benchmark, hash_of(context, options.benchmark_result));
  attempt.attempts = report.attempts;
  attempt.verdict = to_string(report.verdict);
  attempt.outcome = report.verdict == GateVerdict::kPromote ? "accepted" : "refused";
  for (const GateLine &line : report.lines)
    attempt.lines.push_back({line.number, line.title, line.figure, line.reason, line.passed});
  attempt.remarks = report.remarks;
  PYC_CHECK(make_folder(context.workspace.results()));
  const auto path_of = [&](const std::string &stamp) {
    return context.workspace.results() / evidence::promotion_file_name(candidate.name, stamp);
  };
  const auto write = [&](const fs::path &path) { return write_new_file(path, to_json(attempt)); };
  return take_stamped_name(context.now(), path_of, write);
}

Status complete_attempt(const fs::path &trace) {
  PYC_TRY(evidence::PromotionAttempt attempt, evidence::read_promotion(trace));
  attempt.outcome = "promoted";
  return write_file_atomic(trace, to_json(attempt));
}

}  // namespace pyc::hpc
