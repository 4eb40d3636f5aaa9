#include <fmt/format.h>

#include "cli/json_output.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {

Result<Answer> run_sync(const Invocation &invocation) {
  const bool check = invocation.values.has("--check");
  PYC_TRY(const hpc::SyncResult result, hpc::sync(invocation.context, check));
  Answer answer;
  for (const std::string &file : result.stale) answer.text += fmt::format("{} {}\n", check ? "stale" : "written", file);
  if (result.stale.empty()) answer.notes = "the generated files are current\n";
  if (check && !result.stale.empty()) {
    answer.failure = Error{
        ErrorKind::kNo,
        fmt::format("{} generated file{} out of date", result.stale.size(), result.stale.size() == 1 ? " is" : "s are"),
        "run 'pyc hpc sync'"};
  }
  answer.json = [result, failure = answer.failure] { return sync_document(result, failure); };
  return answer;
}

}  // namespace pyc::cli
