// compile and run of `pyc lab`: stdout is what the command wrote there.
#include <fmt/format.h>

#include "cli/lab.h"
#include "cli/lab_json.h"
#include "cli/run_flags.h"

namespace pyc::cli {
namespace {

using Verb = Result<lab::CommandResult> (*)(const lab::Context &, const lab::CommandOptions &);

std::string whole_lines(const std::string &text) { return text.empty() || text.ends_with('\n') ? text : text + "\n"; }

std::string notes_of(const lab::CommandResult &result) {
  const std::string measured = figures(result.best_ms, result.gflops);
  return fmt::format("{}\n{}took {}{}\n", result.command, whole_lines(result.standard_error),
                     milliseconds(result.elapsed_ms), measured.empty() ? "" : "; the kernel says: " + measured);
}

Result<Answer> run_command_verb(const Invocation &invocation, Verb verb) {
  lab::CommandOptions options;
  options.name = invocation.values.text("--name");
  PYC_TRY(options.time_limit, read_timeout(invocation.values, options.time_limit));
  PYC_TRY(const lab::CommandResult result, verb(lab_context(invocation), options));
  Answer answer;
  answer.text = whole_lines(result.standard_output);
  answer.notes = notes_of(result);
  answer.failure = result.failure;
  answer.json = [result] { return lab_command_document(result); };
  return answer;
}

}  // namespace

Result<Answer> run_lab_compile(const Invocation &invocation) { return run_command_verb(invocation, lab::compile); }
Result<Answer> run_lab_run(const Invocation &invocation) { return run_command_verb(invocation, lab::run); }

}  // namespace pyc::cli
