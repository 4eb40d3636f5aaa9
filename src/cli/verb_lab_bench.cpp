// bench, bench-suite and bench-cmd of `pyc lab`: stdout is the path of the result.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/lab.h"
#include "cli/lab_json.h"
#include "cli/paths.h"

namespace pyc::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

void add_phase(Rows &rows, const std::string &name, const char *phase,
               const std::optional<workspace::LabPhase> &timed) {
  if (!timed) return;
  const std::string measured = figures(timed->best_ms, timed->gflops);
  rows.push_back({name, phase, milliseconds(timed->times.mean_ms), milliseconds(timed->times.median_ms),
                  milliseconds(timed->times.stdev_ms), measured.empty() ? "-" : measured});
}

void add_kernel(Rows &rows, const workspace::LabKernelResult &result) {
  add_phase(rows, result.kernel.name, "compile", result.compile);
  add_phase(rows, result.kernel.name, "run", result.run);
  if (result.status == "completed") return;
  const std::string reason = result.failure ? printable(result.failure->reason) : "-";
  rows.push_back({result.kernel.name, result.status, "-", "-", "-", reason});
}

std::string describe(const workspace::LabResult &result) {
  Rows rows = {{"NAME", "PHASE", "MEAN", "MEDIAN", "STDEV", "THE KERNEL SAYS"}};
  for (const workspace::LabKernelResult &kernel : result.kernels) add_kernel(rows, kernel);
  add_phase(rows, result.label, "command", result.command);
  return format_table(rows, {2, 3, 4});
}

// What the failed command wrote last, under its name.
std::string failure_output(const workspace::LabResult &result) {
  std::string text;
  for (const workspace::LabKernelResult &kernel : result.kernels) {
    if (!kernel.failure || kernel.failure->command.empty()) continue;
    text += fmt::format("{}\n{}\n", kernel.failure->command, kernel.failure->stderr_tail);
  }
  return text;
}

Answer to_answer(const Invocation &invocation, lab::BenchResult result) {
  Answer answer;
  const std::string path = printed_path(invocation.context, result.path);
  answer.text = path + "\n";
  answer.notes = describe(result.result) + failure_output(result.result);
  answer.failure = result.failure;
  answer.json = [result = std::move(result), path] {
    return lab_file_document(path, to_json(result.result), result.failure);
  };
  return answer;
}

}  // namespace

Result<Answer> run_lab_bench(const Invocation &invocation) {
  lab::BenchOptions options;
  PYC_CHECK(read_bench_flags(invocation.values, "compile", options));
  PYC_TRY(lab::BenchResult result, lab::bench(lab_context(invocation), invocation.values.text("--name"), options));
  return to_answer(invocation, std::move(result));
}

Result<Answer> run_lab_bench_suite(const Invocation &invocation) {
  const Values &values = invocation.values;
  lab::SuiteOptions options;
  PYC_CHECK(read_bench_flags(values, "both", options));
  options.tags = values.list("--tag");
  options.names = values.list("--name");
  options.dry_run = values.has("--dry-run");
  if (values.has("--label")) options.label = values.text("--label");
  PYC_TRY(lab::BenchResult result, lab::bench_suite(lab_context(invocation), options));
  return to_answer(invocation, std::move(result));
}

Result<Answer> run_lab_bench_cmd(const Invocation &invocation) {
  const Values &values = invocation.values;
  lab::BenchOptions options;
  PYC_CHECK(read_bench_flags(values, "run", options));
  PYC_TRY(lab::BenchResult result,
          lab::bench_cmd(lab_context(invocation), values.text("--label"), values.text("--command"), options));
  return to_answer(invocation, std::move(result));
}

}  // namespace pyc::cli
