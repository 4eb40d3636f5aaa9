#include "hpc/imported.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/metrics.h"
#include "base/process.h"
#include "hpc/evidence_file.h"
#include "hpc/machine.h"
#include "hpc/recorded_run.h"
#include "workspace/compiler_runs.h"
#include "workspace/lab_manifest.h"

namespace pyc::hpc {
namespace {

using evidence::DocumentStatus;
using evidence::Validation;

// The two commands, expanded.
struct Commands {
  workspace::LabCommand compile, run;
};

Status refuse_options(const ValidateOptions &options) {
  const std::pair<bool, const char *> kStandardOnly[] = {
      {!options.shapes.empty(), "--shape"},
      {options.quick, "--quick"},
      {options.large, "--large"},
      {options.sanitize, "--sanitize"},
      {options.seed.has_value() && *options.seed != kDefaultSeed, "--seed"}};
  for (const auto &[given, flag] : kStandardOnly) {
    if (!given) continue;
    return fail(ErrorKind::kInvalid, fmt::format("{} is not for '{}', which is imported", flag, options.name),
                "its run_cmd in kernel.json says what its own program checks");
  }
  return {};
}

std::filesystem::path build_folder(const Context &context) { return context.workspace.build() / "imported"; }

Result<Commands> expand(const Context &context, const workspace::Contract &contract, const std::string &nvcc) {
  if (!contract.legacy) {
    return fail(ErrorKind::kInvalid,
                fmt::format("'{}' is imported, and its kernel.json has no \"legacy\"", contract.name),
                "import it again: pyc hpc import-legacy");
  }
  const std::map<std::string, std::string> values = {
      {"name", contract.name},
      {"source", (context.workspace.candidate(contract.name) / "kernel.cu").string()},
      {"root", context.workspace.root.string()},
      {"build_dir", build_folder(context).string()},
      {"nvcc", nvcc}};
  PYC_TRY(workspace::LabCommand compile, workspace::split_kernel_command(contract.legacy->compile_cmd, "compile_cmd"));
  PYC_TRY(workspace::LabCommand run, workspace::split_kernel_command(contract.legacy->run_cmd, "run_cmd"));
  return Commands{workspace::fill_lab_command(std::move(compile), values),
                  workspace::fill_lab_command(std::move(run), values)};
}

Result<ProcessResult> start(const Context &context, const workspace::LabCommand &command,
                            std::chrono::milliseconds time_limit) {
  ProcessOptions child;
  child.argv = command.words;
  child.working_directory = context.workspace.root;
  child.environment = command.environment;
  if (!context.environment.path.empty()) child.environment.try_emplace("PATH", context.environment.path);
  child.time_limit = time_limit;
  return run_process(child);
}

Error ended_badly(const std::string &what, const ProcessResult &ended) {
  const bool interrupted = ended.end == ProcessEnd::kInterrupted;
  if (interrupted) return {ErrorKind::kInterrupted, "interrupted", ""};
  return {ErrorKind::kNo, fmt::format("{}: {}", what, ended.describe()), ""};
}

Status compile(const Context &context, const Commands &commands, const std::string &name, Validation &document) {
  context.progress({"compiling " + name, 0, 0});
  PYC_CHECK(make_folder(build_folder(context)));
  PYC_TRY(const ProcessResult ended, start(context, commands.compile, workspace::kCompileTimeLimit));
  add_compiler_log(document.header, ended.standard_output + ended.standard_error);
  if (ended.succeeded()) return {};
  Error error = ended_badly(fmt::format("'{}' does not compile by its compile_cmd", name), ended);
  error.message += "\n" + ended.standard_output + ended.standard_error;
  return tl::unexpected<Error>(std::move(error));
}

// The program's own words decide; a program that crashed or hung said nothing.
std::optional<Error> judge(const std::string &name, const ProcessResult &ended, Validation &document) {
  evidence::OwnHarness &own = *document.own_harness;
  own.ended = ended.describe();
  if (ended.end == ProcessEnd::kExited) own.return_code = ended.exit_code;
  const auto metrics = read_metrics(ended.standard_output);
  own.best_ms = positive_metric(metrics, "best_ms");
  own.gflops = positive_metric(metrics, "gflops");
  add_harness_log(document.header, ended.standard_output + ended.standard_error, ended.output_truncated);
  document.header.error.clear();
  document.header.status = DocumentStatus::kPassed;
  if (ended.succeeded()) return std::nullopt;
  Error error = ended_badly(fmt::format("the own program of '{}' says no", name), ended);
  document.header.status = ended.end == ProcessEnd::kExited ? DocumentStatus::kFailed : DocumentStatus::kError;
  if (document.header.status == DocumentStatus::kError) document.header.error = error.message;
  return error;
}

Validation planned(const Context &context, const workspace::Candidate &candidate) {
  Validation document;
  document.header = planned_header(context, candidate, evidence::Kind::kValidation);
  document.seed = kDefaultSeed;
  document.tolerance = candidate.contract.effective_tolerance();
  return document;
}

void name_commands(const Commands &commands, Validation &document) {
  document.own_harness = evidence::OwnHarness{commands.compile.text(), commands.run.text(), "", {}, {}, {}};
}

}  // namespace

Result<RunResult<Validation>> validate_imported(const Context &context, const workspace::Candidate &candidate,
                                                const ValidateOptions &options) {
  PYC_CHECK(refuse_options(options));
  Validation document = planned(context, candidate);
  if (options.dry_run) {
    PYC_TRY(const Commands commands, expand(context, candidate.contract, "nvcc"));
    name_commands(commands, document);
    return record_plan(context, std::move(document));
  }
  PYC_TRY(const Machine machine, find_machine(context, candidate));
  PYC_TRY(const Commands commands, expand(context, candidate.contract, machine.nvcc.path.string()));
  name_commands(commands, document);
  document.header.toolchain = {machine.nvcc.path.string(), machine.nvcc.version, machine.nvcc.host_compiler, {}};
  document.header.gpu = first_gpu(machine);
  PYC_CHECK(compile(context, commands, options.name, document));
  document.header.status = DocumentStatus::kError;
  document.header.error = "the run has not ended";
  PYC_TRY(const EvidenceFile file,
          EvidenceFile::create(context, options.name, evidence::Kind::kValidation, to_json(document)));
  context.progress({"running " + options.name, 0, 0});
  PYC_TRY(const ProcessResult ended, start(context, commands.run, options.silence_limit));
  std::optional<Error> failure = judge(options.name, ended, document);
  PYC_CHECK(file.write(to_json(document)));
  return RunResult<Validation>{file.path(), std::move(document), std::move(failure)};
}

}  // namespace pyc::hpc
