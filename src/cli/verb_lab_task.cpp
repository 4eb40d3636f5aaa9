// The task verbs of `pyc lab`: stdout is the path of what was written, or the task.
#include <fmt/format.h>

#include "base/process.h"
#include "base/text.h"
#include "cli/lab.h"
#include "cli/lab_json.h"
#include "cli/paths.h"
#include "cli/run_flags.h"

namespace pyc::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using workspace::LabTask;

constexpr double kMaxTflops = 1e6;

std::string or_dash(const std::string &text) { return text.empty() ? "-" : printable(text, 1000); }

std::string target_text(const LabTask &task) {
  const auto text = [](const std::optional<double> &value) { return value ? fmt::format("{:g}", *value) : "..."; };
  if (!task.target_tflops_min && !task.target_tflops_max) return "-";
  return fmt::format("{} to {} TFLOPS", text(task.target_tflops_min), text(task.target_tflops_max));
}

std::string result_text(const LabTask &task) {
  if (!task.result) return "-";
  const std::string measured = figures(task.result->best_ms, task.result->gflops);
  return fmt::format("{} won{}{}", printable(task.result->winner_kernel), measured.empty() ? "" : ": ", measured);
}

std::string describe(const LabTask &task) {
  Rows rows = {{"name", or_dash(task.name)},
               {"status", or_dash(task.status)},
               {"for", fmt::format("{}/{}/{}", task.kind, task.hardware.backend, task.hardware.arch)},
               {"objective", or_dash(task.objective)},
               {"baseline", or_dash(task.baseline_kernel)},
               {"control", or_dash(task.control_kernel)},
               {"candidate tags", or_dash(join(task.candidate_tags, ", "))},
               {"candidate names", or_dash(join(task.candidate_names, ", "))},
               {"target", target_text(task)},
               {"last run", task.last_run ? printable(task.last_run->status + ", " + task.last_run->run_record) : "-"},
               {"result", result_text(task)}};
  for (std::size_t i = 0; i < task.profile_protocol.size(); ++i)
    rows.push_back({fmt::format("step {}", i + 1), printable(task.profile_protocol[i], 1000)});
  return format_table(rows);
}

std::string describe(const std::vector<lab::TaskRow> &tasks) {
  Rows rows = {{"TASK", "STATUS", "FOR", "BASELINE", "WINNER"}};
  for (const lab::TaskRow &row : tasks) {
    if (!row.task) {
      rows.push_back({row.slug, "broken", "-", "-", "-"});
      continue;
    }
    const LabTask &task = *row.task;
    rows.push_back({row.slug, or_dash(task.status),
                    fmt::format("{}/{}/{}", task.kind, task.hardware.backend, task.hardware.arch),
                    or_dash(task.baseline_kernel), task.result ? or_dash(task.result->winner_kernel) : "-"});
  }
  return format_table(rows);
}

std::string describe(const workspace::LabHardware &machine) {
  const std::string nvcc = machine.nvcc_path.empty() ? "-" : machine.nvcc_path + ", " + machine.nvcc_version;
  const std::string gpu =
      machine.gpu_name.empty() ? "-" : fmt::format("{}, driver {}", printable(machine.gpu_name), machine.driver);
  return format_table({{"host", or_dash(machine.host)},
                       {"system", or_dash(machine.operating_system)},
                       {"backend", machine.backend},
                       {"arch", machine.arch},
                       {"gpu", gpu},
                       {"memory", machine.memory_bytes ? fmt::format("{} bytes", *machine.memory_bytes) : "-"},
                       {"nvcc", nvcc}});
}

Result<std::optional<double>> read_tflops(const Values &values, const char *flag) {
  if (!values.has(flag)) return std::optional<double>();
  PYC_TRY(const double tflops, values.number(flag, 0, 0, kMaxTflops));
  return std::optional(tflops);
}

// A bare name is looked up in PATH, by the steps too.
std::string seen_from_anywhere(const std::filesystem::path &nvcc) {
  std::error_code error;
  const bool is_path = nvcc.has_parent_path() || std::filesystem::is_directory(nvcc, error);
  return is_path ? std::filesystem::absolute(nvcc, error).lexically_normal().string() : nvcc.string();
}

// Flags that the steps need too; paths become absolute, because steps run in the workspace.
std::vector<std::string> pass_on(const lab::Context &context, const Values &values) {
  std::vector<std::string> words;
  if (values.has("--manifest"))
    words.insert(words.end(), {"--manifest", context.workspace.relative(context.paths.manifest)});
  if (values.has("--build-dir"))
    words.insert(words.end(), {"--build-dir", context.workspace.relative(context.paths.build)});
  if (values.has("--results-dir"))
    words.insert(words.end(), {"--results-dir", context.workspace.relative(context.paths.results)});
  if (values.has("--nvcc")) words.insert(words.end(), {"--nvcc", seen_from_anywhere(context.nvcc)});
  return words;
}

Result<lab::TaskCreateOptions> read_create_options(const lab::Context &context, const Values &values) {
  lab::TaskCreateOptions options;
  options.name = values.text("--name");
  if (values.has("--task-kind")) options.kind = values.text("--task-kind");
  options.objective = values.text("--objective");
  options.baseline = values.text("--baseline");
  options.control_kernel = values.text("--control-kernel");
  options.candidate_tags = values.list("--candidate-tag");
  options.candidate_names = values.list("--candidate-name");
  PYC_TRY(options.target_tflops_min, read_tflops(values, "--target-tflops-min"));
  PYC_TRY(options.target_tflops_max, read_tflops(values, "--target-tflops-max"));
  PYC_CHECK(read_repeats(values, options.repeats, options.warmup));
  options.pass_on = pass_on(context, values);
  return options;
}

std::string describe(const workspace::LabTaskRun &run) {
  Rows rows = {{"STEP", "STATUS", "TIME", "COMMAND"}};
  for (const workspace::LabStep &step : run.steps) {
    rows.push_back({std::to_string(rows.size()), step.status, step.ended.empty() ? "-" : milliseconds(step.elapsed_ms),
                    printable(step.command, 1000)});
  }
  return format_table(rows, {2});
}

}  // namespace

Result<Answer> run_lab_task_hardware(const Invocation &invocation) {
  const workspace::LabHardware machine = lab::task_hardware(lab_context(invocation));
  Answer answer;
  answer.text = describe(machine);
  answer.json = [machine] { return lab_task_hardware_document(machine); };
  return answer;
}

Result<Answer> run_lab_task_create(const Invocation &invocation) {
  const lab::Context context = lab_context(invocation);
  PYC_TRY(const lab::TaskCreateOptions options, read_create_options(context, invocation.values));
  PYC_TRY(const lab::TaskCreateResult result, lab::task_create(context, options));
  Answer answer;
  const std::string path = printed_path(invocation.context, result.path);
  answer.text = path + "\n";
  answer.notes = describe(result.task) + "next: pyc lab task-run " + quote_command({result.task.slug}) + "\n";
  answer.json = [result, path] { return lab_file_document(path, to_json(result.task), std::nullopt); };
  return answer;
}

Result<Answer> run_lab_task_list(const Invocation &invocation) {
  PYC_TRY(const std::vector<lab::TaskRow> rows, lab::task_list(lab_context(invocation)));
  Answer answer;
  if (!rows.empty()) answer.text = describe(rows);
  if (rows.empty()) answer.notes = "no task\nnext: pyc lab task-create NAME\n";
  for (const lab::TaskRow &row : rows) {
    if (!row.problem.empty() && !answer.failure) answer.failure = Error{ErrorKind::kSchema, row.problem, {}};
  }
  answer.json = [rows, failure = answer.failure] { return lab_task_list_document(rows, failure); };
  return answer;
}

Result<Answer> run_lab_task_show(const Invocation &invocation) {
  PYC_TRY(const LabTask task, lab::task_show(lab_context(invocation), invocation.values.text("--name")));
  Answer answer;
  answer.text = describe(task);
  answer.json = [task] { return lab_task_show_document(task); };
  return answer;
}

Result<Answer> run_lab_task_run(const Invocation &invocation) {
  const Values &values = invocation.values;
  lab::TaskRunOptions options;
  options.name = values.text("--name");
  options.keep_going = values.has("--keep-going");
  options.dry_run = values.has("--dry-run");
  PYC_TRY(options.time_limit, read_timeout(values, options.time_limit));
  PYC_TRY(const lab::TaskRunResult result, lab::task_run(lab_context(invocation), options));
  Answer answer;
  const std::string path = printed_path(invocation.context, result.path);
  answer.text = path + "\n";
  answer.notes = describe(result.run);
  answer.failure = result.failure;
  answer.json = [result, path] { return lab_file_document(path, to_json(result.run), result.failure); };
  return answer;
}

Result<Answer> run_lab_task_complete(const Invocation &invocation) {
  const Values &values = invocation.values;
  lab::TaskCompleteOptions options;
  options.name = values.text("--name");
  options.winner = values.text("--winner");
  options.notes = values.text("--notes");
  options.result_json = values.text("--result-json");
  PYC_TRY(const lab::TaskCompleteResult result, lab::task_complete(lab_context(invocation), options));
  const workspace::LabBaseline &baseline = result.baseline;
  Answer answer;
  answer.text = printed_path(invocation.context, result.path) + "\n";
  answer.notes =
      fmt::format("'{}' is the baseline of {}/{}/{}{}\n", baseline.kernel, baseline.task_kind, baseline.backend,
                  baseline.arch, result.replaced.empty() ? "" : ", in place of '" + result.replaced + "'");
  answer.warnings = result.warnings;
  answer.json = [result] { return lab_task_complete_document(result); };
  return answer;
}

}  // namespace pyc::cli
