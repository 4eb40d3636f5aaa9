// The verbs of `pyc hpc`, one source file each. Options are what the command line offers; results are what it prints.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "evidence/documents.h"
#include "evidence/promotion.h"
#include "evidence/records.h"
#include "hpc/comparison.h"
#include "hpc/context.h"
#include "hpc/gate.h"
#include "toolchain/doctor.h"
#include "workspace/candidate.h"
#include "workspace/registry.h"
#include "workspace/template.h"

namespace pyc::hpc {

// What `create` takes where nothing is said.
constexpr const char *kDefaultArch = "sm90", *kDefaultDtype = "fp32", *kDefaultLayout = "nn",
                     *kDefaultFamily = "square", *kDefaultTemplate = "simt_fp32";

struct CreateOptions {
  std::string name;
  std::string arch, dtype, layout, shape_family;  // empty: the defaults above, or with `from` what that candidate has
  std::string template_name;                      // empty: chosen by what is asked for
  workspace::Parameters parameters;               // tile_m, ... and --set
  std::string from;                               // copy this candidate instead of a template; takes no parameters
};
struct CreateResult {
  workspace::Candidate candidate;
  std::filesystem::path folder;
};
Result<CreateResult> create(const Context &context, const CreateOptions &options);

struct ImportOptions {
  std::string legacy_name, name, dtype, arch;  // legacy_name: a kernel of the lab's manifest
  std::string layout, shape_family;            // empty: as create has them
  std::filesystem::path manifest;              // empty: the workspace's
};
// A kernel of the lab becomes a candidate of the kind `imported`: validated by its own program, and not promotable.
Result<CreateResult> import_legacy(const Context &context, const ImportOptions &options);

// Newest evidence of one kind, and whether it is of the digest on disk.
struct EvidenceState {
  std::string path, status;
  bool current = false;
  evidence::Kind kind = evidence::Kind::kValidation;
  std::string created_utc;  // empty if the file cannot be read
};
struct ListRow {
  std::string name, selector, arch, digest, problem;  // problem: why kernel.json cannot be read
  bool imported = false;
  std::string status;     // one of list_statuses()
  bool promoted = false;  // a record of that name, whatever its digest
  std::string change;     // what an edited one does not share with its record
  std::optional<EvidenceState> validation, benchmark, profile;
  const EvidenceState *newest() const;  // of the three, or null
};
struct ListOptions {
  std::string selector, arch, status;  // filters; empty: all
};
// How far a candidate has come, judged by evidence of the digest on disk; with what each word means.
struct ListStatus {
  const char *name, *meaning;
};
std::span<const ListStatus> list_statuses();
Result<std::vector<ListRow>> list(const Context &context, const ListOptions &options);

// One evidence file as `show` tells it.
struct ShownEvidence {
  evidence::Summary summary;
  bool current = false;  // of the digest on disk
  std::string change;    // what differs since, if it is not: "kernels/prototypes/x/kernel.cu has changed"
  std::string outcome;   // "22 of 22 shapes passed"; of the newest of each kind alone, else empty
};
struct ShowResult {
  workspace::Candidate candidate;
  std::vector<ShownEvidence> evidence;             // newest first
  std::optional<workspace::Entry> registry_entry;  // its own record, with those that it replaced
  // The entry in whose history it stands, and its record there: it was promoted once.
  std::optional<workspace::Entry> replaced_in;
  std::optional<workspace::Record> former_record;
  std::vector<evidence::PromotionAttempt> attempts;  // to promote it, newest first
  std::string status;                                // as in `list`
  std::string next;                                  // the command that takes it further; empty: nothing to do
};
Result<ShowResult> show(const Context &context, const std::string &name);

struct DoctorResult {
  std::vector<toolchain::DoctorCheck> checks;
  bool ready = false;  // validate and bench can run here
};
// `workspace_error`: why no workspace was found, or empty.
Result<DoctorResult> doctor(const Context &context, const std::string &workspace_error);

constexpr std::uint64_t kDefaultSeed = 1;

struct RunOptions {
  std::string name;
  std::vector<evidence::Shape> shapes;  // empty: the candidate's own
  bool dry_run = false;
  std::optional<std::uint64_t> seed;                                 // absent: kDefaultSeed
  std::chrono::milliseconds silence_limit{std::chrono::minutes(2)};  // a harness that says nothing for so long hangs
};
struct ValidateOptions : RunOptions {
  bool quick = false;     // only the checks of a few calls; the gate refuses such evidence
  bool large = false;     // problems with operands of more than 2^31 elements too
  bool sanitize = false;  // small problems under compute-sanitizer too
};
constexpr int kMostBenchRepeats = 100'000;  // that --repeats takes
struct BenchOptions : RunOptions {
  int warmup = 10, repeats = 50;
  // In all, while the verdict is open; absent: four times `repeats`, or what one file of evidence holds.
  std::optional<int> max_repeats;
  std::chrono::seconds max_time{60};  // no pass begins that would end later
  std::vector<std::string> against;   // further candidates to time in the same run
  bool null = false;                  // leave the incumbent out: the candidate against itself alone
};
template <class Document>
struct RunResult {
  std::filesystem::path evidence_path;
  Document document;
  std::optional<Error> failure;  // why the answer is not yes: wrong results, a crash, a hang, Ctrl-C, no device
};
// The evidence is written whatever the outcome, also when the child crashed or was interrupted; `failure` and the
// document's status say so. Errors are for what left no evidence: no GPU, no nvcc, no such candidate, a kernel that
// does not compile.
Result<RunResult<evidence::Validation>> validate(const Context &context, const ValidateOptions &options);
Result<RunResult<evidence::Benchmark>> bench(const Context &context, const BenchOptions &options);

struct ProfileOptions {
  std::string name;
  std::optional<evidence::Shape> shape;  // absent: the first of the candidate's own
  std::optional<std::string> command;    // with placeholders (hpc/profile_command.h); absent: ncu's default metrics
  std::chrono::milliseconds time_limit{std::chrono::minutes(10)};
};
// Evidence is written once the profiler has run, whatever it said; `failure` says why there is nothing to see. Errors
// are for what left no evidence, as for validate; and for a profiler that cannot be started.
Result<RunResult<evidence::Profile>> profile(const Context &context, const ProfileOptions &options);

struct CompareOptions {
  std::filesystem::path left, right;  // two benchmarks or two profiles
};
using Comparison = std::variant<BenchmarkComparison, ProfileComparison>;
// kInvalid for files that are neither, are of two kinds, or have no shape in common that both timed soundly.
Result<Comparison> compare(const Context &context, const CompareOptions &options);

struct PromoteOptions {
  std::string name;
  std::filesystem::path validation_result, benchmark_result;
  bool bootstrap = false;
  double max_regression = kDefaultMaxRegression;
};
struct PromoteResult {
  GateReport report;
  bool promoted = false;
  std::optional<workspace::Record> record;
};
Result<PromoteResult> promote(const Context &context, const PromoteOptions &options);

struct SyncResult {
  std::vector<std::string> stale;  // generated files that were or are out of date
  bool written = false;
};
// With `check` nothing is written.
Result<SyncResult> sync(const Context &context, bool check);

}  // namespace pyc::hpc
