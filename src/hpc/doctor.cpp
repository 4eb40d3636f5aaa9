// `pyc hpc doctor`: can this machine and this workspace validate and benchmark?
#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

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
  check.finding = fmt::format("{}, {} candidate{}", context.workspace.root.string(), count, count == 1 ? "" : "s");
  return check;
}

DoctorCheck check_writable(const Context &context) {
  const std::filesystem::path kernels = context.workspace.root / "kernels";
  DoctorCheck check = named_check("write access", true);
  check.finding = kernels.string();
  if (access(kernels.c_str(), W_OK) == 0) return check;
  check.status = CheckStatus::kMissing;
  check.finding = fmt::format("'{}' cannot be written", kernels.string());
  check.hint = "evidence and builds are kept there: change the owner or the mode, or use another workspace";
  return check;
}

DoctorCheck check_templates(const Context &context) {
  DoctorCheck check = named_check("templates", false);
  const auto templates = workspace::read_templates(context.workspace);
  if (!templates) {
    check.status = CheckStatus::kMissing;
    check.finding = templates.error().message;
    check.hint = templates.error().hint;
    return check;
  }
  for (const workspace::Template &one : *templates) check.finding += (check.finding.empty() ? "" : ", ") + one.name;
  if (templates->empty()) {
    check.status = CheckStatus::kWarning;
    check.finding = "none under kernels/templates/gemm";
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
  }
  for (DoctorCheck &check : toolchain::examine_machine(context.nvcc, context.environment)) {
    result.checks.push_back(std::move(check));
  }
  result.ready = std::none_of(result.checks.begin(), result.checks.end(), [](const DoctorCheck &check) {
    return check.required && check.status == CheckStatus::kMissing;
  });
  return result;
}

}  // namespace pyc::hpc
