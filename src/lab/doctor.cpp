// `pyc lab doctor`: are the lab's files in order, and can its commands run here?
#include <fmt/format.h>

#include "base/text.h"
#include "lab/verbs.h"

namespace pyc::lab {
namespace {

using toolchain::CheckStatus;
using toolchain::DoctorCheck;

DoctorCheck ok(const char *name, std::string finding) {
  DoctorCheck check;
  check.name = name;
  check.required = true;
  check.finding = std::move(finding);
  return check;
}

// Adds the check as missing, and keeps the first such failure.
void add_failed(DoctorResult &result, DoctorCheck check, const Error &error) {
  check.status = CheckStatus::kMissing;
  check.finding = error.message;
  check.hint = error.hint;
  result.checks.push_back(std::move(check));
  if (!result.failure) result.failure = error;
}

void check_sources(const Context &context, const workspace::LabManifest &manifest, DoctorResult &result) {
  std::vector<std::string> missing;
  for (const workspace::LabKernel &kernel : manifest.kernels) {
    std::error_code error;
    if (!std::filesystem::exists(context.workspace.root / kernel.source, error))
      missing.push_back(fmt::format("{} of '{}'", kernel.source, kernel.name));
  }
  if (missing.empty()) return result.checks.push_back(ok("sources", "all there"));
  add_failed(result, ok("sources", ""),
             {ErrorKind::kSchema, fmt::format("{} missing: {}", missing.size(), printable(join(missing, ", "), 1000)),
              "mend \"source\" in the manifest, or bring the files back"});
}

void check_baselines(const Context &context, const workspace::LabManifest &manifest, DoctorResult &result) {
  const auto baselines = workspace::read_lab_baselines(context.paths.baselines);
  if (!baselines) return add_failed(result, ok("baselines", ""), baselines.error());
  for (const workspace::LabBaseline &entry : baselines->entries) {
    if (manifest.find(entry.kernel)) continue;
    return add_failed(result, ok("baselines", ""),
                      {ErrorKind::kSchema,
                       fmt::format("the baseline of {}/{}/{} is '{}', which the manifest does not have",
                                   entry.task_kind, entry.backend, entry.arch, entry.kernel),
                       suggest(entry.kernel, manifest.names())});
  }
  result.checks.push_back(ok("baselines", fmt::format("{} in {}", baselines->entries.size(),
                                                      context.workspace.relative(context.paths.baselines))));
}

void check_tasks(const Context &context, DoctorResult &result) {
  const auto files = workspace::lab_task_files(context.paths.tasks);
  if (!files) return add_failed(result, ok("tasks", ""), files.error());
  for (const std::string &file : *files) {
    const auto task = workspace::read_lab_task(context.paths.tasks, file);
    if (!task) return add_failed(result, ok("tasks", ""), task.error());
  }
  result.checks.push_back(
      ok("tasks", fmt::format("{} in {}", files->size(), context.workspace.relative(context.paths.tasks))));
}

// What the commands need; files can be read without it.
void check_toolchain(const Context &context, DoctorResult &result) {
  for (DoctorCheck &check : toolchain::examine_machine(context.nvcc, context.environment)) {
    if (check.name != "nvcc" && check.name != "gpu") continue;
    check.required = false;
    result.checks.push_back(std::move(check));
  }
}

}  // namespace

Result<DoctorResult> doctor(const Context &context) {
  PYC_TRY(const workspace::LabManifest manifest, workspace::read_lab_manifest(context.paths.manifest));
  DoctorResult result;
  result.checks.push_back(ok("manifest", fmt::format("{}, {}", context.workspace.relative(context.paths.manifest),
                                                     counted(manifest.kernels.size(), "kernel"))));
  check_sources(context, manifest, result);
  check_baselines(context, manifest, result);
  check_tasks(context, result);
  check_toolchain(context, result);
  return result;
}

}  // namespace pyc::lab
