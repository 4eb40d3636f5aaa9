// `pyc lab task-run`: the steps of a task, one after the other, recorded as they end.
#include <fmt/format.h>

#include "base/files.h"
#include "base/metrics.h"
#include "base/text.h"
#include "lab/kernel_command.h"
#include "lab/record_file.h"
#include "lab/task_lock.h"
#include "lab/verbs.h"
#include "toolchain/doctor.h"

namespace pyc::lab {
namespace {

using workspace::LabStep;
using workspace::LabTask;
using workspace::LabTaskRun;

// A step is mostly this tool, which has a process group of its own to end first.
constexpr std::chrono::seconds kStepGrace{12};

LabTaskRun planned(const Context &context, const LabTask &task, const TaskRunOptions &options) {
  LabTaskRun run;
  run.task_name = task.name;
  run.task_slug = task.slug;
  run.task_kind = task.kind;
  run.status = "planned";
  run.started_utc = utc_iso(context.now());
  run.host = toolchain::host_info().name;
  run.tool_version = context.tool.version;
  run.tool_git = context.tool.git;
  run.keep_going = options.keep_going;
  run.dry_run = options.dry_run;
  for (const std::string &command : task.profile_protocol) {
    LabStep step;
    step.status = options.dry_run ? "planned" : "not run";
    step.command = command;
    run.steps.push_back(std::move(step));
  }
  return run;
}

// Lines of stdout that name a file: what the bench verbs print.
std::vector<std::string> written_files(const Context &context, const std::string &output) {
  std::vector<std::string> written;
  for (const std::string &line : split(output, '\n')) {
    const std::string path(trim(line));
    std::error_code error;
    if (path.ends_with(".json") && std::filesystem::is_regular_file(context.workspace.root / path, error))
      written.push_back(path);
  }
  return written;
}

void keep_end(const Context &context, const ProcessResult &ended, LabStep &step) {
  step.status = ended.succeeded() ? "ok" : "failed";
  step.ended = ended.describe();
  if (ended.end == ProcessEnd::kExited) step.return_code = ended.exit_code;
  step.elapsed_ms = std::chrono::duration<double, std::milli>(ended.elapsed).count();
  step.stdout_tail = tail_of(ended.standard_output);
  step.stderr_tail = tail_of(ended.standard_error);
  step.written = written_files(context, ended.standard_output);
}

// This pyc stands first in PATH, so that the steps are run by the tool that was asked.
Result<Command> step_command(const Context &context, const std::string &text, const std::string &what) {
  PYC_TRY(Command command, workspace::split_lab_command(text, what));
  if (!context.program.empty()) {
    const std::string before = context.program.parent_path().string() + ":";
    command.environment.try_emplace("PATH", before + context.environment.path);
  }
  command.environment.try_emplace("PYC_WORKSPACE", context.workspace.root.string());
  return command;
}

std::optional<Error> run_step(const Context &context, const TaskRunOptions &options, const std::string &what,
                              LabStep &step) {
  const auto command = step_command(context, step.command, what);
  const auto ended = command ? run_command(context, *command, options.time_limit, kStepGrace)
                             : Result<ProcessResult>(tl::unexpected<Error>(command.error()));
  if (!ended) {
    step.status = "failed";
    step.ended = "not started: " + ended.error().message;
    return ended.error();
  }
  keep_end(context, *ended, step);
  std::optional<Error> failure = failure_of(what, *ended);
  if (failure && failure->hint.empty() && !step.stderr_tail.empty()) failure->hint = step.stderr_tail;
  return failure;
}

std::string status_of(const std::optional<Error> &failure) {
  if (!failure) return "ok";
  return failure->kind == ErrorKind::kInterrupted ? "interrupted" : "failed";
}

// Runs all of them, or up to the first that fails; the record on disk is always as far as the run.
Status run_steps(const Context &context, const TaskRunOptions &options, TaskRunResult &result) {
  LabTaskRun &run = result.run;
  run.status = "running";
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    PYC_CHECK(write_file_atomic(result.path, to_json(run)));
    const std::string what = fmt::format("step {} of '{}'", i + 1, run.task_name);
    context.progress({run.steps[i].command, static_cast<int>(i) + 1, static_cast<int>(run.steps.size())});
    auto failure = run_step(context, options, what, run.steps[i]);
    if (!failure) continue;
    const bool interrupted = failure->kind == ErrorKind::kInterrupted;
    if (!result.failure || interrupted) result.failure = std::move(failure);
    if (interrupted || !options.keep_going) break;
  }
  run.status = status_of(result.failure);
  run.completed_utc = utc_iso(context.now());
  return write_file_atomic(result.path, to_json(run));
}

// The task's own file says which run was the last. It is read again: a run takes long, and others may have written it.
Status note_run(const Context &context, const TaskRunOptions &options, const TaskRunResult &result) {
  PYC_TRY(const FileLock lock, lock_tasks(context));
  PYC_TRY(LabTask task, workspace::read_lab_task(context.paths.tasks, options.name));
  task.last_run = {result.run.status, context.workspace.relative(result.path), result.run.completed_utc};
  if (task.status == "planned" && !result.failure) task.status = "measured";
  task.updated_utc = result.run.completed_utc;
  return write_file_atomic(task.path, to_json(task));
}

}  // namespace

Result<TaskRunResult> task_run(const Context &context, const TaskRunOptions &options) {
  PYC_TRY(const LabTask task, workspace::read_lab_task(context.paths.tasks, options.name));
  if (task.profile_protocol.empty()) {
    return fail(ErrorKind::kInvalid, fmt::format("the task '{}' has no steps", printable(task.name)),
                "write command lines into benchmark_plan.profile_protocol, or create it again");
  }
  TaskRunResult result;
  result.run = planned(context, task, options);
  PYC_TRY(result.path, reserve_record(context.paths.runs, task.slug, context.now()));
  if (options.dry_run) {
    PYC_CHECK(write_file_atomic(result.path, to_json(result.run)));
    return result;
  }
  PYC_CHECK(run_steps(context, options, result));
  PYC_CHECK(note_run(context, options, result));
  return result;
}

}  // namespace pyc::lab
