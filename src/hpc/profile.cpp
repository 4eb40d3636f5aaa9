// `pyc hpc profile`: what does the GPU do while the candidate runs?
#include <fmt/format.h>

#include "hpc/evidence_file.h"
#include "hpc/machine.h"
#include "hpc/profile_command.h"
#include "hpc/profiler_verdict.h"
#include "hpc/run_plan.h"
#include "hpc/verbs.h"
#include "toolchain/ncu.h"

namespace pyc::hpc {
namespace {

using evidence::Profile;

constexpr std::uint64_t kInputSeed = 1;             // of the executable's inputs when it is run by hand
constexpr std::size_t kOutputLimitBytes = 4 << 20;  // a CSV of every section has some 50 KB a launch

// Words that make the executable launch the kernel once: no flush, no spin, no checks.
std::vector<std::string> binary_words(const workspace::CandidateBuild &build, const workspace::Contract &contract,
                                      const evidence::Shape &shape) {
  return {
      build.executable.string(), "--shape", to_string(shape), "--dtype", contract.dtype, "--layout", contract.layout};
}

// The words of the default profiler; its absence is told before anything of the candidate is compiled.
Result<std::vector<std::string>> default_words(const Context &context, const Machine &machine) {
  PYC_TRY(const std::filesystem::path ncu, toolchain::find_ncu(machine.nvcc, context.environment));
  std::vector<std::string> words = toolchain::ncu_arguments();
  words.insert(words.begin(), ncu.string());
  words.push_back(kBinaryPlaceholder);
  return words;
}

Result<ProcessResult> run_profiler(const Context &context, const ProfileOptions &options, const Profile &document) {
  ProcessOptions child;
  child.argv = document.run.command;
  child.working_directory = context.workspace.root;
  if (!context.environment.path.empty()) child.environment["PATH"] = context.environment.path;
  if (document.default_metrics) child.environment["LC_ALL"] = "C";
  child.time_limit = options.time_limit;
  child.output_limit_bytes = kOutputLimitBytes;
  context.progress({fmt::format("profiling {}", to_string(document.shape)), 0, 0});
  return run_process(child);
}

void keep_run(Profile &document, const ProcessResult &ended) {
  document.run.ended = ended.describe();
  if (ended.end == ProcessEnd::kExited) document.run.return_code = ended.exit_code;
  document.run.standard_output = ended.standard_output;
  document.run.standard_error = ended.standard_error;
  document.run.truncated = ended.output_truncated;
}

std::optional<Error> conclude(Profile &document, const ProcessResult &ended) {
  if (auto failure = judge_profiler(ended)) return failure;
  if (!document.default_metrics) return std::nullopt;
  auto kernels = read_kernels(ended);
  if (!kernels) return kernels.error();
  document.kernels = std::move(*kernels);
  return std::nullopt;
}

Profile planned(const Context &context, const RunPlan &plan, const Machine &machine,
                const workspace::CandidateBuild &build) {
  Profile document;
  document.header = planned_header(context, plan.candidate, evidence::Kind::kProfile);
  document.header.warnings = plan.warnings;
  document.header.toolchain = toolchain_record(machine, build);
  document.header.gpu = first_gpu(machine);
  add_compiler_log(document.header, build.compiler_log);
  document.seed = kInputSeed;
  document.shape = plan.request.shapes.front().shape;
  return document;
}

PlaceholderValues placeholder_values(const Context &context, const RunPlan &plan,
                                     const workspace::CandidateBuild &build) {
  const workspace::Contract &contract = plan.candidate.contract;
  const std::filesystem::path folder = context.workspace.candidate(contract.name);
  return {contract.name, (folder / "kernel.cu").string(), folder.string(),
          binary_words(build, contract, plan.request.shapes.front().shape)};
}

}  // namespace

Result<RunResult<Profile>> profile(const Context &context, const ProfileOptions &options) {
  std::vector<std::string> words;
  if (options.command) {
    PYC_TRY(words, split_profiler_command(*options.command));
  }
  RunOptions run;
  run.name = options.name;
  if (options.shape) run.shapes = {*options.shape};
  PYC_TRY(const RunPlan plan, plan_run(context, "profile", run, false));

  PYC_TRY(const Machine machine, prepare_machine(context, plan.candidate));
  if (!options.command) {
    PYC_TRY(words, default_words(context, machine));
  }
  PYC_TRY(const workspace::CandidateBuild build, build_on(context, machine, plan.candidate));
  Profile document = planned(context, plan, machine, build);
  document.default_metrics = !options.command;
  document.run.command = fill_in(words, placeholder_values(context, plan, build));
  PYC_TRY(const ProcessResult ended, run_profiler(context, options, document));

  keep_run(document, ended);
  std::optional<Error> failure = conclude(document, ended);
  document.header.status = failure ? evidence::DocumentStatus::kError : evidence::DocumentStatus::kCompleted;
  document.header.error = failure ? failure->message : "";
  PYC_TRY(const EvidenceFile file,
          EvidenceFile::create(context, options.name, evidence::Kind::kProfile, to_json(document)));
  return RunResult<Profile>{file.path(), std::move(document), std::move(failure)};
}

}  // namespace pyc::hpc
