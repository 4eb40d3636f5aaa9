// doctor, list and show of `pyc lab`: what the manifest holds.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/lab.h"
#include "cli/lab_json.h"

namespace pyc::cli {
namespace {

constexpr std::size_t kDescriptionWidth = 70;

std::string status_word(const toolchain::DoctorCheck &check, const Style &style) {
  if (check.status == toolchain::CheckStatus::kOk) return style.good("ok     ");
  if (check.status == toolchain::CheckStatus::kWarning) return style.odd("warning");
  return check.required ? style.bad("wrong  ") : style.odd("missing");
}

std::string describe(const lab::DoctorResult &result, const Style &style) {
  std::vector<std::vector<std::string>> rows;
  std::string hints;
  for (const toolchain::DoctorCheck &check : result.checks) {
    rows.push_back({status_word(check, style), check.name, check.finding});
    if (!check.hint.empty()) hints += fmt::format("hint: {}: {}\n", check.name, check.hint);
  }
  return format_table(rows) + (hints.empty() ? "" : "\n" + hints);
}

std::string describe(const workspace::LabManifest &manifest) {
  std::vector<std::vector<std::string>> rows = {{"NAME", "TAGS", "DESCRIPTION"}};
  for (const workspace::LabKernel &kernel : manifest.kernels) {
    rows.push_back({kernel.name, kernel.tags.empty() ? "-" : printable(join(kernel.tags, ","), kDescriptionWidth),
                    printable(kernel.description, kDescriptionWidth)});
  }
  return format_table(rows);
}

std::string or_dash(const std::string &text) { return text.empty() ? "-" : printable(text, 4000); }

std::string describe(const workspace::LabKernel &kernel) {
  return format_table({{"name", kernel.name},
                       {"source", or_dash(kernel.source)},
                       {"description", or_dash(kernel.description)},
                       {"tags", or_dash(join(kernel.tags, ", "))},
                       {"compile_cmd", or_dash(kernel.compile_cmd)},
                       {"run_cmd", or_dash(kernel.run_cmd)}});
}

}  // namespace

Result<Answer> run_lab_doctor(const Invocation &invocation) {
  PYC_TRY(const lab::DoctorResult result, lab::doctor(lab_context(invocation)));
  Answer answer;
  answer.text = describe(result, invocation.answer_style);
  answer.failure = result.failure;
  answer.json = [result] { return lab_doctor_document(result); };
  return answer;
}

Result<Answer> run_lab_list(const Invocation &invocation) {
  PYC_TRY(const workspace::LabManifest manifest, lab::list(lab_context(invocation)));
  Answer answer;
  if (!manifest.kernels.empty()) answer.text = describe(manifest);
  if (manifest.kernels.empty()) answer.notes = "the manifest has no kernels\n";
  answer.json = [manifest] { return lab_list_document(manifest); };
  return answer;
}

Result<Answer> run_lab_show(const Invocation &invocation) {
  PYC_TRY(const workspace::LabKernel kernel, lab::show(lab_context(invocation), invocation.values.text("--name")));
  Answer answer;
  answer.text = describe(kernel);
  answer.json = [kernel] { return lab_show_document(kernel); };
  return answer;
}

}  // namespace pyc::cli
