#include <fmt/format.h>

#include "cli/json_output.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

std::string status_word(const toolchain::DoctorCheck &check, const Style &style) {
  using toolchain::CheckStatus;
  if (check.status == CheckStatus::kOk) return style.good("ok     ");
  if (check.status == CheckStatus::kWarning) return style.odd("warning");
  const char *word = check.status == CheckStatus::kBroken ? "broken " : "missing";
  return check.required ? style.bad(word) : style.odd(word);
}

std::string describe(const hpc::DoctorResult &result, const Style &style) {
  std::vector<std::vector<std::string>> rows;
  std::string hints;
  for (const toolchain::DoctorCheck &check : result.checks) {
    rows.push_back({status_word(check, style), check.name, check.required ? "required" : "optional", check.finding});
    if (!check.hint.empty()) hints += fmt::format("hint: {}: {}\n", check.name, check.hint);
  }
  return format_table(rows) + (hints.empty() ? "" : "\n" + hints) +
         (result.ready ? "\nready: validate and bench can run here\n"
                       : "\nnot ready: validate and bench cannot run here\n");
}

std::optional<Error> failure_of(const hpc::DoctorResult &result) {
  if (result.ready) return std::nullopt;
  std::string failing;
  for (const toolchain::DoctorCheck &check : result.checks) {
    if (check.required && check.fails()) failing += (failing.empty() ? "" : ", ") + check.name;
  }
  return Error{ErrorKind::kNo, "not ready, missing or broken: " + failing,
               "create, list, show and --dry-run work without a GPU; the hints above say how to get the rest"};
}

}  // namespace

Result<Answer> run_doctor(const Invocation &invocation) {
  PYC_TRY(hpc::DoctorResult result, hpc::doctor(invocation.context, invocation.workspace_error));
  Answer answer;
  answer.text = describe(result, invocation.answer_style);
  answer.failure = failure_of(result);
  answer.json = [result, failure = answer.failure] { return doctor_document(result, failure); };
  return answer;
}

}  // namespace pyc::cli
