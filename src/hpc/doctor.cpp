// `pyc hpc doctor`: can this machine and this workspace validate and benchmark?
#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "hpc/candidate_row.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

using toolchain::CheckStatus;
using toolchain::DoctorCheck;

DoctorCheck named_check(const char *name, bool required) {
  DoctorCheck check;
  check.name = name;
  check.required = required;
  return check;
}

DoctorCheck check_workspace(const Context &context, const std::string &workspace_error) {
  DoctorCheck check = named_check("workspace", true);
  if (!workspace_error.empty()) {
    check.status = CheckStatus::kMissing;
    check.finding = workspace_error;
    check.hint = "run pyc inside a PyC checkout, or name one with --workspace or PYC_WORKSPACE";
    return check;
  }
  const std::size_t count = workspace::candidate_names(context.workspace).size();
  check.finding = fmt::format("{}, {}", context.workspace.root.string(), counted(count, "candidate"));
  return check;
}

// Empty, or the first folder that runs write to and this process may not.
std::string unwritable_folder(const Context &context) {
  const workspace::Workspace &workspace = context.workspace;
  for (const std::filesystem::path &folder : {workspace.root / "kernels", workspace.results(), workspace.build(),
                                              workspace.prototypes(), workspace.registry().parent_path()}) {
    std::error_code absent;
    if (std::filesystem::exists(folder, absent) && access(folder.c_str(), W_OK) != 0) return folder.string();
  }
  return {};
}

DoctorCheck check_writable(const Context &context) {
  constexpr std::uintmax_t kLeastFreeBytes = std::uintmax_t{1} << 30;  // builds and evidence of a few candidates
  const std::filesystem::path kernels = context.workspace.root / "kernels";
  DoctorCheck check = named_check("write access", true);
  if (const std::string folder = unwritable_folder(context); !folder.empty()) {
    check.status = CheckStatus::kBroken;
    check.finding = fmt::format("'{}' cannot be written", folder);
    check.hint = "evidence and builds are kept there: change the owner or the mode, or use another workspace";
    return check;
  }
  std::error_code error;
  const std::uintmax_t free_bytes = std::filesystem::space(kernels, error).available;
  check.finding = kernels.string();
  if (error) return check;
  check.finding += fmt::format(", {:.1f} GiB free", static_cast<double>(free_bytes) / (1 << 30));
  if (free_bytes >= kLeastFreeBytes) return check;
  check.status = CheckStatus::kWarning;
  check.hint = "builds need some hundred MiB: free space, or remove kernels/.build, which is made again";
  return check;
}

DoctorCheck check_registry(const Context &context, const Result<workspace::Registry> &registry) {
  DoctorCheck check = named_check("registry", true);
  if (!registry) {
    check.status = CheckStatus::kBroken;
    check.finding = registry.error().message;
    check.hint = registry.error().hint.empty() ? "restore it: git checkout -- kernels/registry/kernels.json"
                                               : registry.error().hint;
    return check;
  }
  const std::size_t count = registry->entries.size();
  check.finding = counted(count, "promoted kernel");
  for (const workspace::Entry &entry : registry->entries) {
    const ListRow row = candidate_row(context, *registry, {}, entry.record.name);
    if (row.status == "promoted") continue;
    check.status = CheckStatus::kWarning;
    check.finding += fmt::format("; '{}': {}", row.name, row.problem.empty() ? row.change : row.problem);
    check.hint =
        "restore what was promoted (git checkout), and go on in a new candidate: pyc hpc create gemm --from NAME";
  }
  return check;
}

DoctorCheck check_generated(const Context &context, const Result<workspace::Registry> &registry) {
  DoctorCheck check = named_check("generated files", false);
  const auto stale = registry ? workspace::stale_generated_files(context.workspace, *registry)
                              : tl::unexpected<Error>(registry.error());
  if (!stale) {
    check.status = CheckStatus::kWarning;
    check.finding = "not known without the registry";
    check.hint = "mend the registry first";
  } else if (stale->empty()) {
    check.finding = "current";
  } else {
    check.status = CheckStatus::kWarning;
    check.finding = "out of date: " + join(*stale, ", ");
    check.hint = "run 'pyc hpc sync', then build again";
  }
  return check;
}

DoctorCheck check_templates(const Context &context) {
  DoctorCheck check = named_check("templates", false);
  const auto templates = workspace::read_templates(context.workspace);
  if (!templates) {
    check.status = CheckStatus::kBroken;
    check.finding = templates.error().message;
    check.hint =
        templates.error().hint.empty() ? "restore it: git checkout -- kernels/templates" : templates.error().hint;
    return check;
  }
  for (const workspace::Template &one : *templates) check.finding += (check.finding.empty() ? "" : ", ") + one.name;
  if (templates->empty()) {
    check.status = CheckStatus::kWarning;
    check.finding = "none under kernels/templates/gemm";
    check.hint = "create needs one: restore them with git checkout -- kernels/templates";
  }
  return check;
}

}  // namespace

Result<DoctorResult> doctor(const Context &context, const std::string &workspace_error) {
  DoctorResult result;
  result.checks.push_back(check_workspace(context, workspace_error));
  if (workspace_error.empty()) {
    result.checks.push_back(check_writable(context));
    result.checks.push_back(check_templates(context));
    const auto registry = workspace::read_registry(context.workspace);
    result.checks.push_back(check_registry(context, registry));
    result.checks.push_back(check_generated(context, registry));
  }
  for (DoctorCheck &check : toolchain::examine_machine(context.nvcc, context.environment)) {
    result.checks.push_back(std::move(check));
  }
  result.ready = std::none_of(result.checks.begin(), result.checks.end(),
                              [](const DoctorCheck &check) { return check.required && check.fails(); });
  return result;
}

}  // namespace pyc::hpc
