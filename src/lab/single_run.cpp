#include "lab/single_run.h"

#include <fmt/format.h>

#include "base/metrics.h"

namespace pyc::lab {

Result<CommandResult> run_once(const Context &context, const CommandOptions &options, Phase phase) {
  PYC_TRY(const workspace::LabKernel kernel, show(context, options.name));
  PYC_TRY(const Command command, kernel_command(context, kernel, phase));
  const std::string what = fmt::format("the {}_cmd of '{}'", to_string(phase), kernel.name);
  context.progress({what, 0, 0});
  PYC_TRY(ProcessResult ended, run_command(context, command, options.time_limit));
  CommandResult result;
  result.command = command.text();
  result.elapsed_ms = std::chrono::duration<double, std::milli>(ended.elapsed).count();
  const auto metrics = read_metrics(ended.standard_output);
  result.best_ms = positive_metric(metrics, "best_ms");
  result.gflops = positive_metric(metrics, "gflops");
  result.failure = failure_of(what, ended);
  result.standard_output = std::move(ended.standard_output);
  result.standard_error = std::move(ended.standard_error);
  return result;
}

}  // namespace pyc::lab
