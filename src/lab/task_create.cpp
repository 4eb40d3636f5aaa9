// `pyc lab task-create`: a plan to beat the baseline of this machine, kept as a file.
#include <fmt/format.h>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "lab/hardware.h"
#include "lab/kernel_selection.h"
#include "lab/task_lock.h"
#include "lab/task_plan.h"
#include "toolchain/arch.h"

namespace pyc::lab {
namespace {

using workspace::LabKernel;
using workspace::LabManifest;
using workspace::LabTask;

Status check_targets(const TaskCreateOptions &options) {
  const bool ordered = !options.target_tflops_min || !options.target_tflops_max ||
                       *options.target_tflops_min <= *options.target_tflops_max;
  if (ordered) return {};
  return fail(ErrorKind::kInvalid,
              fmt::format("--target-tflops-min '{}' is above --target-tflops-max '{}'", *options.target_tflops_min,
                          *options.target_tflops_max),
              "give the lower one as --target-tflops-min");
}

// The one arch that every candidate names among its tags; empty if there is none.
std::string common_arch(const std::vector<LabKernel> &candidates) {
  std::set<std::string> arches;
  for (const LabKernel &kernel : candidates) {
    bool names_one = false;
    for (const std::string &arch : toolchain::arch_names()) {
      if (!kernel.has_tag(arch)) continue;
      names_one = true;
      arches.insert(arch);
    }
    if (!names_one) return {};
  }
  return arches.size() == 1 ? *arches.begin() : std::string();
}

// A plan may be made on a machine without a GPU: then the candidates say what they are for.
void settle_arch(workspace::LabHardware &hardware, const std::vector<LabKernel> &candidates) {
  const std::string arch = common_arch(candidates);
  if (hardware.arch_source == "gpu" || arch.empty()) return;
  hardware.arch = arch;
  hardware.arch_source = "candidates";
}

Result<std::vector<LabKernel>> choose_candidates(const LabManifest &manifest, const TaskCreateOptions &options) {
  if (options.candidate_tags.empty() && options.candidate_names.empty()) return std::vector<LabKernel>{};
  return select_kernels(manifest, options.candidate_tags, options.candidate_names);
}

// The kernel to beat, and into `task` how it was found.
Result<LabKernel> find_baseline(const Context &context, const LabManifest &manifest, const std::string &named,
                                LabTask &task) {
  task.baseline_resolution = "explicit";
  if (!named.empty()) return workspace::require_lab_kernel(manifest, named);
  PYC_TRY(const workspace::LabBaselines baselines, workspace::read_lab_baselines(context.paths.baselines));
  const workspace::LabHardware &machine = task.hardware;
  const workspace::LabBaseline *entry = baselines.find(task.kind, machine.backend, machine.arch);
  const std::string key = fmt::format("{}/{}/{}", task.kind, machine.backend, machine.arch);
  if (!entry) {
    return fail(ErrorKind::kInvalid, fmt::format("there is no baseline of {}", key),
                "name the kernel to beat: --baseline NAME");
  }
  task.baseline_resolution = fmt::format("manifest: {}/{}/{}", entry->task_kind, entry->backend, entry->arch);
  if (const LabKernel *kernel = manifest.find(entry->kernel)) return *kernel;
  return fail(ErrorKind::kSchema,
              fmt::format("'{}': the baseline of {} is '{}', which the manifest does not have",
                          context.paths.baselines.string(), key, entry->kernel),
              suggest(entry->kernel, manifest.names()));
}

void take_options(const TaskCreateOptions &options, LabTask &task) {
  task.name = options.name;
  task.slug = workspace::task_slug(options.name);
  task.status = "planned";
  task.kind = options.kind;
  task.control_kernel = options.control_kernel;
  task.candidate_tags = options.candidate_tags;
  task.candidate_names = options.candidate_names;
  task.target_tflops_min = options.target_tflops_min;
  task.target_tflops_max = options.target_tflops_max;
  task.repeats = options.repeats;
  task.warmup = options.warmup;
}

Result<LabTask> plan_task(const Context &context, const TaskCreateOptions &options) {
  PYC_TRY(const LabManifest manifest, workspace::read_lab_manifest(context.paths.manifest));
  if (!options.control_kernel.empty()) PYC_CHECK(workspace::require_lab_kernel(manifest, options.control_kernel));
  PYC_TRY(const std::vector<LabKernel> candidates, choose_candidates(manifest, options));
  LabTask task;
  take_options(options, task);
  task.hardware = examine_hardware(context);
  settle_arch(task.hardware, candidates);
  PYC_TRY(task.baseline, find_baseline(context, manifest, options.baseline, task));
  task.baseline_kernel = task.baseline->name;
  task.objective = options.objective;
  if (task.objective.empty()) task.objective = fmt::format("beat '{}' on {}", task.baseline_kernel, task.hardware.arch);
  task.created_utc = task.updated_utc = task.hardware.captured_utc;
  task.profile_protocol = plan_steps(task, manifest, options.pass_on);
  return task;
}

}  // namespace

Result<TaskCreateResult> task_create(const Context &context, const TaskCreateOptions &options) {
  if (!workspace::is_lab_name(options.kind)) {
    return fail(ErrorKind::kInvalid, fmt::format("--task-kind '{}' is not a word", printable(options.kind)),
                "use letters, digits, '_' and '-', for example gemm");
  }
  PYC_CHECK(check_targets(options));
  PYC_CHECK(workspace::new_lab_task_file(context.paths.tasks, options.name));
  TaskCreateResult result;
  PYC_TRY(result.task, plan_task(context, options));
  PYC_TRY(const FileLock lock, lock_tasks(context));
  // Asked again: somebody may have been faster.
  PYC_TRY(result.path, workspace::new_lab_task_file(context.paths.tasks, options.name));
  PYC_CHECK(write_file_atomic(result.path, to_json(result.task)));
  return result;
}

}  // namespace pyc::lab
