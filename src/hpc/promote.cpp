// `pyc hpc promote`: judge the evidence, and if it holds, make the candidate the kernel of its selector and arch.
#include <fmt/format.h>

#include "base/files.h"
#include "base/hash.h"
#include "hpc/attempts.h"
#include "hpc/failed_validations.h"
#include "hpc/registry_lock.h"
#include "hpc/runtime_figures.h"
#include "hpc/verbs.h"
#include "toolchain/arch.h"
#include "workspace/build_cache.h"

namespace pyc::hpc {
namespace {

using workspace::Entry;
using workspace::Record;
using workspace::Registry;

// What a promotion is decided on, read after the lock was taken.
struct Dossier {
  Registry registry;
  workspace::Candidate candidate;
  evidence::Validation validation;
  evidence::Benchmark benchmark;
};

// Says whose path the flag takes, where the reader had no better advice.
template <class Document>
Result<Document> given_by(const char *flag, const char *verb, Result<Document> read) {
  return advised(std::move(read), fmt::format("{} takes the path that 'pyc hpc {}' printed", flag, verb));
}

Result<Dossier> read_dossier(const Context &context, const PromoteOptions &options) {
  Dossier dossier;
  PYC_TRY(dossier.registry, workspace::read_registry(context.workspace));
  PYC_TRY(dossier.candidate, workspace::read_candidate(context.workspace, options.name));
  PYC_TRY(dossier.validation,
          given_by("--validation-result", "validate", evidence::read_validation(options.validation_result)));
  PYC_TRY(dossier.benchmark,
          given_by("--benchmark-result", "bench", evidence::read_benchmark(options.benchmark_result)));
  return dossier;
}

// As the registry names it: no path from outside the workspace stands in a tracked file.
std::string evidence_name(const Context &context, const std::filesystem::path &path) {
  const std::string name = context.workspace.relative(std::filesystem::absolute(path));
  return std::filesystem::path(name).is_absolute() ? path.filename().generic_string() : name;
}

Result<workspace::EvidenceSummary> summarize(const Context &context, const PromoteOptions &options,
                                             const evidence::Header &benchmark, const GateReport &report,
                                             const Entry *incumbent) {
  workspace::EvidenceSummary summary;
  summary.validation_file = evidence_name(context, options.validation_result);
  summary.benchmark_file = evidence_name(context, options.benchmark_result);
  PYC_TRY(summary.validation_sha256, sha256_file(options.validation_result));
  PYC_TRY(summary.benchmark_sha256, sha256_file(options.benchmark_result));
  summary.gpu_name = benchmark.gpu->name;
  summary.gpu_uuid = benchmark.gpu->uuid;
  summary.driver = benchmark.gpu->driver;
  summary.nvcc_version = benchmark.toolchain.nvcc_version;
  summary.host_compiler = benchmark.toolchain.host_compiler;
  summary.tool_version = benchmark.tool.version;
  summary.tool_git = benchmark.tool.git;
  summary.shapes = report.shapes;
  summary.ratio_to_incumbent = report.ratio;
  if (incumbent) summary.replaced_digest = incumbent->record.digest;
  return summary;
}

// The measured figures are the validation's, not those that stand in kernel.json by now.
Record make_record(const Context &context, const Dossier &dossier, workspace::EvidenceSummary summary) {
  const workspace::Candidate &candidate = dossier.candidate;
  const workspace::Contract &contract = candidate.contract;
  Record record;
  record.name = contract.name;
  record.dtype = contract.dtype;
  record.layout = contract.layout;
  record.shape_family = contract.shape_family;
  record.arch = contract.arch;
  record.symbol = contract.symbol;
  record.digest = candidate.ref.digest;
  record.source = context.workspace.relative(context.workspace.candidate(contract.name) / "kernel.cu");
  record.source_sha256 = candidate.kernel_source_sha256;
  record.flags = workspace::kernel_flags(*toolchain::find_arch(contract.arch));
  record.requirements = contract.requirements;
  record.workspace = contract.workspace;
  record.runtime = measured_figures(dossier.validation, contract.runtime).value_or(contract.runtime);
  record.evidence = std::move(summary);
  record.promoted_utc = utc_iso(context.now());
  return record;
}

// The record takes its place; the one that stood there becomes the newest of its history.
void put_record(Registry &registry, const Record &record) {
  for (Entry &entry : registry.entries) {
    if (entry.record.selector() != record.selector() || entry.record.arch != record.arch) continue;
    entry.history.insert(entry.history.begin(), std::move(entry.record));
    entry.record = record;
    return;
  }
  registry.entries.push_back({record, {}});
}

Status check_options(const PromoteOptions &options) {
  if (options.max_regression >= 0 && options.max_regression < 1) return {};
  return fail(ErrorKind::kInvalid, fmt::format("--max-regression '{}' is out of range", options.max_regression),
              "give a fraction from 0 to 1: 0.05 allows a shape to be 5 % slower");
}

}  // namespace

Result<PromoteResult> promote(const Context &context, const PromoteOptions &options) {
  PYC_CHECK(check_options(options));
  PYC_CHECK(workspace::require_candidate(context.workspace, options.name));
  PYC_TRY(const FileLock lock, lock_registry(context));
  PYC_TRY(Dossier dossier, read_dossier(context, options));
  PYC_TRY(const std::string harness, workspace::harness_digest(context.workspace));

  const evidence::CandidateRef &ref = dossier.candidate.ref;
  const Entry *incumbent = dossier.registry.find(ref.selector, ref.arch);
  const Record *record = incumbent ? &incumbent->record : nullptr;
  PromoteResult result;
  result.report =
      judge({&dossier.validation, &dossier.benchmark, &dossier.candidate, &dossier.registry, options.bootstrap,
             options.max_regression, count_attempts(context, ref, record, options.benchmark_result),
             failed_validations(context, ref), harness});
  PYC_TRY(const std::filesystem::path trace, keep_attempt(context, options, ref, record, result.report));
  if (result.report.verdict != GateVerdict::kPromote) return result;

  PYC_TRY(workspace::EvidenceSummary summary,
          summarize(context, options, dossier.benchmark.header, result.report, incumbent));
  result.record = make_record(context, dossier, std::move(summary));
  put_record(dossier.registry, *result.record);
  PYC_CHECK(workspace::write_registry(context.workspace, dossier.registry));
  result.promoted = true;
  // A trace that stays at `accepted` is true too.
  if (const Status completed = complete_attempt(trace); !completed)
    result.report.remarks.push_back("the trace of this attempt could not be completed: " + completed.error().message);
  return result;
}

}  // namespace pyc::hpc
