// `pyc lab task-complete`: the winner of a task becomes the baseline of its kind, backend and arch.
#include <algorithm>
#include <fmt/format.h>

#include "base/files.h"
#include "lab/task_lock.h"
#include "lab/verbs.h"

namespace pyc::lab {
namespace {

using workspace::LabBaseline;
using workspace::LabBaselines;
using workspace::LabTask;
using workspace::LabTaskResult;

// The winner's own figures in the result that is named.
Status read_figures(const Context &context, const std::filesystem::path &file, LabTaskResult &result) {
  PYC_TRY(const workspace::LabTimings timings, workspace::read_lab_timings(file));
  const auto row = std::find_if(timings.rows.begin(), timings.rows.end(), [&](const workspace::LabTiming &timing) {
    return timing.kernel == result.winner_kernel && timing.phase == "run";
  });
  if (row == timings.rows.end()) {
    return fail(ErrorKind::kInvalid, fmt::format("'{}' has no run times of '{}'", file.string(), result.winner_kernel),
                "name a result of 'pyc lab bench' or 'bench-suite' with --phase run that has the winner in it");
  }
  result.best_ms = row->best_ms;
  result.gflops = row->gflops;
  result.result_json = context.workspace.relative(std::filesystem::absolute(file));
  return {};
}

void add_warnings(const LabTask &task, std::vector<evidence::Warning> &warnings) {
  const LabTaskResult &result = *task.result;
  if (result.result_json.empty()) {
    warnings.push_back(
        {"no_result", "no result shows that the winner won", "--result-json FILE keeps one with the task"});
  }
  constexpr double kGflopsPerTflops = 1000;
  if (!task.target_tflops_min || !result.gflops) return;
  const double reached = *result.gflops / kGflopsPerTflops;
  if (reached >= *task.target_tflops_min) return;
  warnings.push_back({"below_target",
                      fmt::format("the winner reaches {:.2f} TFLOPS, the task asks for {:.2f} at least", reached,
                                  *task.target_tflops_min),
                      "it is the baseline all the same"});
}

LabBaseline to_baseline(const LabTask &task) {
  LabBaseline baseline;
  baseline.task_kind = task.kind;
  baseline.backend = task.hardware.backend;
  baseline.arch = task.hardware.arch;
  baseline.kernel = task.result->winner_kernel;
  baseline.source = "task:" + task.name;
  baseline.updated_utc = task.updated_utc;
  baseline.notes = task.result->notes;
  return baseline;
}

// The kernel that has exactly this key now; a generic one is not replaced by a winner of one arch.
std::string replaced_by(const LabBaseline &baseline, const LabBaselines &baselines) {
  const LabBaseline *entry = baselines.find(baseline.task_kind, baseline.backend, baseline.arch);
  return entry && entry->arch == baseline.arch ? entry->kernel : std::string();
}

}  // namespace

Result<TaskCompleteResult> task_complete(const Context &context, const TaskCompleteOptions &options) {
  PYC_TRY(const workspace::LabManifest manifest, workspace::read_lab_manifest(context.paths.manifest));
  PYC_CHECK(workspace::require_lab_kernel(manifest, options.winner));
  PYC_TRY(const FileLock lock, lock_tasks(context));
  PYC_TRY(LabTask task, workspace::read_lab_task(context.paths.tasks, options.name));
  PYC_TRY(LabBaselines baselines, workspace::read_lab_baselines(context.paths.baselines));

  task.status = "completed";
  task.updated_utc = utc_iso(context.now());
  task.result = LabTaskResult{options.winner, {}, options.notes, task.updated_utc, {}, {}};
  if (!options.result_json.empty()) PYC_CHECK(read_figures(context, options.result_json, *task.result));
  TaskCompleteResult result;
  result.baseline = to_baseline(task);
  result.replaced = replaced_by(result.baseline, baselines);
  baselines.put(result.baseline);
  result.path = task.path;
  PYC_CHECK(make_folder(context.paths.baselines.parent_path()));
  PYC_CHECK(write_files_atomic({{context.paths.baselines, to_json(baselines)}, {result.path, to_json(task)}}));
  add_warnings(task, result.warnings);
  result.task = std::move(task);
  return result;
}

}  // namespace pyc::lab
