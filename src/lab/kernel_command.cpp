#include "lab/kernel_command.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"

namespace pyc::lab {
namespace {

namespace fs = std::filesystem;

using Values = std::map<std::string, std::string>;

Result<Values> placeholder_values(const Context &context, const workspace::LabKernel &kernel,
                                  const workspace::LabCommand &split) {
  Values values = {{"name", kernel.name},
                   {"source", (context.workspace.root / kernel.source).lexically_normal().string()},
                   {"root", context.workspace.root.string()},
                   {"build_dir", context.paths.build.string()}};
  if (!workspace::has_lab_placeholder(split, "nvcc")) return values;
  PYC_TRY(const toolchain::Nvcc nvcc, toolchain::find_nvcc(context.nvcc, context.environment));
  values["nvcc"] = nvcc.path.string();
  return values;
}

bool is_below(const fs::path &path, const fs::path &folder) {
  const fs::path relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

Status require_built(const Context &context, const workspace::LabKernel &kernel, const Command &command) {
  const fs::path program = command.words.front();
  std::error_code error;
  if (!is_below(program, context.paths.build) || fs::exists(program, error)) return {};
  return fail(ErrorKind::kInvalid, fmt::format("'{}' is not compiled: there is no '{}'", kernel.name, program.string()),
              fmt::format("compile it first: pyc lab compile {}", kernel.name));
}

}  // namespace

std::string to_string(Phase phase) { return phase == Phase::kCompile ? "compile" : "run"; }

Result<Command> kernel_command(const Context &context, const workspace::LabKernel &kernel, Phase phase) {
  const std::string key = to_string(phase) + "_cmd";
  const std::string &text = phase == Phase::kCompile ? kernel.compile_cmd : kernel.run_cmd;
  if (trim(text).empty()) {
    return fail(ErrorKind::kInvalid, fmt::format("the kernel '{}' has no {}", kernel.name, key),
                fmt::format("write one into the manifest, or choose a kernel that has it: pyc lab list"));
  }
  PYC_TRY(workspace::LabCommand split, workspace::split_kernel_command(text, key));
  PYC_TRY(const Values values, placeholder_values(context, kernel, split));
  Command command = workspace::fill_lab_command(std::move(split), values);
  if (phase == Phase::kRun) PYC_CHECK(require_built(context, kernel, command));
  return command;
}

Result<ProcessResult> run_command(const Context &context, const Command &command, std::chrono::milliseconds time_limit,
                                  std::chrono::milliseconds grace) {
  PYC_CHECK(make_folder(context.paths.build));
  ProcessOptions child;
  child.argv = command.words;
  // A relative program is one of the workspace, where the command runs.
  if (child.argv.front().find('/') != std::string::npos)
    child.argv.front() = (context.workspace.root / child.argv.front()).string();
  child.working_directory = context.workspace.root;
  child.environment = command.environment;
  if (!context.environment.path.empty()) child.environment.try_emplace("PATH", context.environment.path);
  child.time_limit = time_limit;
  child.grace = grace;
  return run_process(child);
}

std::optional<Error> failure_of(const std::string &subject, const ProcessResult &ended) {
  if (ended.succeeded()) return std::nullopt;
  const ErrorKind kind = ended.end == ProcessEnd::kInterrupted ? ErrorKind::kInterrupted : ErrorKind::kNo;
  const std::string hint = ended.end == ProcessEnd::kTimeLimit ? "--timeout SECONDS gives it more time" : "";
  return Error{kind, fmt::format("{} failed: {}", subject, ended.describe()), hint};
}

}  // namespace pyc::lab
