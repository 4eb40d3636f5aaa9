#include "workspace/lab_task.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

#include "base/file_error.h"
#include "base/text.h"
#include "workspace/lab_files.h"

namespace pyc::workspace {
namespace {

using json::Json;
using json::ObjectReader;
namespace fs = std::filesystem;

constexpr std::size_t kSlugLimit = 100;

std::vector<std::string> optional_strings(ObjectReader &fields, const char *key) {
  return fields.has(key) ? fields.strings(key) : std::vector<std::string>{};
}

std::string optional_text(ObjectReader &fields, const char *key) {
  return fields.is_null(key) ? std::string() : fields.optional_string(key).value_or("");
}

std::optional<double> optional_figure(ObjectReader &fields, const char *key) {
  if (fields.is_null(key)) return std::nullopt;
  return fields.optional_number(key, 0, HUGE_VAL);
}

bool has_object(ObjectReader &fields, const char *key) { return fields.has(key) && !fields.is_null(key); }

void read_meta(ObjectReader fields, LabTask &task) {
  task.name = fields.string("name");
  task.slug = optional_text(fields, "slug");
  if (task.slug.empty()) task.slug = task_slug(task.name);
  task.status = fields.string("status");
  task.created_utc = optional_text(fields, "created_utc");
  task.updated_utc = optional_text(fields, "updated_utc");
}

void read_work(ObjectReader fields, LabTask &task) {
  task.kind = fields.string("kind");
  if (!fields.failed() && !is_lab_name(task.kind)) fields.refuse("kind", "a word of letters, digits, '_' and '-'");
  task.objective = optional_text(fields, "objective");
  task.baseline_kernel = fields.string("baseline_kernel");
  task.control_kernel = optional_text(fields, "control_kernel");
  task.candidate_tags = optional_strings(fields, "candidate_tags");
  task.candidate_names = optional_strings(fields, "candidate_names");
  task.target_tflops_min = optional_figure(fields, "target_tflops_min");
  task.target_tflops_max = optional_figure(fields, "target_tflops_max");
}

void read_hardware(ObjectReader fields, LabTask &task) {
  for (const auto &[key, place] : {std::pair{"backend", &task.hardware.backend}, {"arch", &task.hardware.arch}}) {
    *place = fields.string(key);
    if (!fields.failed() && !is_lab_name(*place)) fields.refuse(key, "a word of letters, digits, '_' and '-'");
  }
}

void read_end(ObjectReader &fields, LabTask &task) {
  if (has_object(fields, "last_run")) {
    ObjectReader last = fields.object("last_run");
    task.last_run = {last.string("status"), last.string("run_record"), optional_text(last, "completed_utc")};
  }
  if (!has_object(fields, "result")) return;
  ObjectReader result = fields.object("result");
  const std::string winner = optional_text(result, "winner_kernel");
  if (winner.empty()) return;
  task.result = {winner,
                 optional_text(result, "result_json"),
                 optional_text(result, "notes"),
                 optional_text(result, "completed_utc"),
                 optional_figure(result, "best_ms"),
                 optional_figure(result, "gflops")};
}

Result<LabTask> parse(std::string_view text, const std::string &file) {
  PYC_TRY(const Json document, json::parse_strict(text, file));
  ObjectReader fields(document, file);
  LabTask task;
  read_meta(fields.object("meta"), task);
  read_hardware(fields.object("hardware"), task);
  read_work(fields.object("task"), task);
  ObjectReader plan = fields.object("benchmark_plan");
  task.profile_protocol = plan.strings("profile_protocol");
  read_end(fields, task);
  PYC_CHECK(fields.status());
  task.document = text;
  return task;
}

Json text_or_null(const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); }
Json figure(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }

Json hardware_json(const LabHardware &hardware) {
  Json gpu = nullptr;
  if (!hardware.gpu_name.empty()) {
    gpu = {{"name", hardware.gpu_name},
           {"uuid", hardware.gpu_uuid},
           {"compute_capability", hardware.compute_capability},
           {"driver_version", hardware.driver},
           {"memory_bytes", hardware.memory_bytes ? Json(*hardware.memory_bytes) : Json(nullptr)}};
  }
  Json nvcc = nullptr;
  if (!hardware.nvcc_path.empty()) nvcc = {{"path", hardware.nvcc_path}, {"version", hardware.nvcc_version}};
  return {{"captured_utc", hardware.captured_utc},
          {"host", hardware.host},
          {"operating_system", hardware.operating_system},
          {"backend", hardware.backend},
          {"arch", hardware.arch},
          {"arch_source", hardware.arch_source},
          {"gpu", gpu},
          {"nvcc", nvcc}};
}

// What stands in a task from its creation on.
Json fresh_json(const LabTask &task) {
  Json json = {{"meta", {{"name", task.name}, {"slug", task.slug}}},
               {"hardware", hardware_json(task.hardware)},
               {"task",
                {{"kind", task.kind},
                 {"objective", task.objective},
                 {"baseline_kernel", task.baseline_kernel},
                 {"baseline_resolution", task.baseline_resolution},
                 {"control_kernel", text_or_null(task.control_kernel)},
                 {"candidate_tags", task.candidate_tags},
                 {"candidate_names", task.candidate_names},
                 {"target_tflops_min", figure(task.target_tflops_min)},
                 {"target_tflops_max", figure(task.target_tflops_max)}}},
               {"baseline", task.baseline ? to_value(*task.baseline) : Json(nullptr)},
               {"benchmark_plan",
                {{"repeats", task.repeats}, {"warmup", task.warmup}, {"profile_protocol", task.profile_protocol}}},
               {"last_run", nullptr},
               {"result", nullptr}};
  json["meta"]["status"] = task.status;
  json["meta"]["created_utc"] = task.created_utc;
  return json;
}

Json step_json(const LabStep &step, std::size_t index) {
  return {{"index", index},
          {"status", step.status},
          {"command", step.command},
          {"ended", step.ended},
          {"returncode", step.return_code ? Json(*step.return_code) : Json(nullptr)},
          {"elapsed_ms", step.elapsed_ms},
          {"written_paths", step.written},
          {"stdout_tail", step.stdout_tail},
          {"stderr_tail", step.stderr_tail}};
}

bool contains(const std::vector<std::string> &list, const std::string &item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

Result<LabTask> read_task_file(const fs::path &path) {
  PYC_TRY(const std::string text, read_lab_file(path, "task", ""));
  PYC_TRY(LabTask task, parse_lab_task(text, path.string()));
  task.path = path;
  return task;
}

tl::unexpected<Error> no_task(const fs::path &folder, const std::string &name, const std::vector<std::string> &files) {
  return fail(ErrorKind::kInvalid,
              fmt::format("there is no task '{}' in '{}'", printable(name), printable_path(folder)),
              files.empty() ? "make one with: pyc lab task-create NAME" : suggest(name, files));
}

// FILE.json is taken: a new task is neither written over another one nor found under its name.
tl::unexpected<Error> taken(const fs::path &folder, const std::string &name, const std::string &file) {
  const auto task = read_task_file(folder / (file + ".json"));
  const std::string path = printable_path(folder / (file + ".json"));
  if (task && task->name == name) {
    return fail(ErrorKind::kInvalid, fmt::format("the task '{}' exists already", printable(name)),
                fmt::format("choose another name, or remove '{}'", path));
  }
  const std::string owner = task ? fmt::format("the task '{}'", printable(task->name)) : "one that cannot be read";
  return fail(
      ErrorKind::kInvalid,
      fmt::format("'{}' would be kept or found in '{}.json', where {} is", printable(name), printable(file), owner),
      fmt::format("choose another name, or remove '{}'", path));
}

}  // namespace

std::string task_slug(std::string_view name) {
  std::string slug;
  for (const char c : name.substr(0, kSlugLimit)) {
    const bool keeps = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (keeps) slug += to_lower(std::string_view(&c, 1));
    if (!keeps && !slug.empty() && slug.back() != '-') slug += '-';
  }
  while (slug.ends_with('-')) slug.pop_back();
  return slug;
}

Result<LabTask> parse_lab_task(std::string_view text, const std::string &file) {
  return parse_as_schema(parse(text, file));
}

Result<std::vector<std::string>> lab_task_files(const fs::path &folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  if (error == std::errc::no_such_file_or_directory) return names;
  for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
    const fs::path &path = entry->path();
    if (path.extension() == ".json" && !path.filename().string().starts_with('.')) names.push_back(path.stem());
  }
  if (error) {
    return fail(ErrorKind::kInvalid, fmt::format("cannot list '{}': {}", printable_path(folder), error.message()),
                "check its permissions (ls -ld), or name another folder with --task-dir");
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<LabTask> read_lab_task(const fs::path &folder, const std::string &name) {
  PYC_TRY(const std::vector<std::string> files, lab_task_files(folder));
  if (contains(files, name)) return read_task_file(folder / (name + ".json"));
  const std::string slug = task_slug(name);
  if (!contains(files, slug)) return no_task(folder, name, files);
  PYC_TRY(LabTask task, read_task_file(folder / (slug + ".json")));
  if (task.name != name) return no_task(folder, name, files);
  return task;
}

Result<fs::path> new_lab_task_file(const fs::path &folder, const std::string &name) {
  const std::string slug = task_slug(name);
  if (slug.empty()) {
    return fail(ErrorKind::kInvalid, fmt::format("'{}' is not a task's name", printable(name)),
                "use letters and digits");
  }
  PYC_TRY(const std::vector<std::string> files, lab_task_files(folder));
  for (const std::string &file : {name, slug}) {
    if (contains(files, file)) return taken(folder, name, file);
  }
  return folder / (slug + ".json");
}

std::string to_json(const LabHardware &hardware) { return json::to_text(hardware_json(hardware)); }

std::string to_json(const LabTask &task) {
  Json json = task.document.empty() ? fresh_json(task) : Json::parse(task.document, nullptr, false);
  json["meta"]["status"] = task.status;
  json["meta"]["updated_utc"] = task.updated_utc;
  if (task.last_run) {
    json["last_run"] = {{"status", task.last_run->status},
                        {"run_record", task.last_run->run_record},
                        {"completed_utc", task.last_run->completed_utc}};
  }
  if (task.result) {
    json["result"] = {{"winner_kernel", task.result->winner_kernel},
                      {"result_json", text_or_null(task.result->result_json)},
                      {"best_ms", figure(task.result->best_ms)},
                      {"gflops", figure(task.result->gflops)},
                      {"notes", task.result->notes},
                      {"completed_utc", task.result->completed_utc}};
  }
  return json::to_text(json);
}

std::string to_json(const LabTaskRun &run) {
  Json steps = Json::array();
  for (const LabStep &step : run.steps) steps.push_back(step_json(step, steps.size() + 1));
  return json::to_text({{"meta",
                         {{"task_name", run.task_name},
                          {"task_slug", run.task_slug},
                          {"task_kind", run.task_kind},
                          {"status", run.status},
                          {"started_utc", run.started_utc},
                          {"completed_utc", text_or_null(run.completed_utc)},
                          {"host", run.host},
                          {"command_count", run.steps.size()},
                          {"keep_going", run.keep_going},
                          {"dry_run", run.dry_run},
                          {"tool", {{"version", run.tool_version}, {"git", run.tool_git}}}}},
                        {"steps", steps}});
}

}  // namespace pyc::workspace
