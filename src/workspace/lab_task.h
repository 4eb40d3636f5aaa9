// kernels/lab/tasks/NAME.json: one search for a faster kernel, with the machine, the baseline, the steps and the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/lab_baselines.h"
#include "workspace/lab_manifest.h"

namespace pyc::workspace {

// The machine, as a task records it. Only backend and arch are read again: with the kind they are a baseline's key.
struct LabHardware {
  std::string backend, arch;
  std::string arch_source;  // gpu, candidates (all name this arch as a tag), or none (arch is "generic")
  std::string captured_utc, host, operating_system, nvcc_path, nvcc_version;  // nvcc: empty if there is none
  std::string gpu_name, gpu_uuid, compute_capability, driver;                 // empty if there is no GPU
  std::optional<std::int64_t> memory_bytes;
};
std::string to_json(const LabHardware &hardware);

struct LabTaskResult {
  std::string winner_kernel, result_json, notes, completed_utc;
  std::optional<double> best_ms, gflops;  // of the winner in result_json
};

struct LabTaskRunNote {
  std::string status, run_record, completed_utc;
};

struct LabTask {
  std::string name, slug, status;  // status: planned, measured, completed
  std::string created_utc, updated_utc;
  LabHardware hardware;
  std::string kind, objective, baseline_kernel, baseline_resolution, control_kernel;
  std::vector<std::string> candidate_tags, candidate_names;
  std::optional<double> target_tflops_min, target_tflops_max;
  std::optional<LabKernel> baseline;  // a copy; absent in none that we write
  int repeats = 0, warmup = 0;
  std::vector<std::string> profile_protocol;  // command lines, in order
  std::optional<LabTaskRunNote> last_run;
  std::optional<LabTaskResult> result;
  std::filesystem::path path;  // the file it was read from
  std::string document;        // its text: fields that we do not know are kept when it is written
};

// Lower-case letters and digits of the name, with '-' for what is between; empty if it has none. Several names may
// share one: a task is found by its whole name, or by that of its file.
std::string task_slug(std::string_view name);

// kSchema, naming file, field and what was expected. Fields that are not known are allowed: older tasks have more.
Result<LabTask> parse_lab_task(std::string_view json, const std::string &file_in_messages);
// The task of that name, or of the file of that name without ".json". kInvalid, with the nearest name, if there is
// none.
Result<LabTask> read_lab_task(const std::filesystem::path &folder, const std::string &name);
// Where a new task of that name is kept; kInvalid if a task is there already, or would be found in its place.
Result<std::filesystem::path> new_lab_task_file(const std::filesystem::path &folder, const std::string &name);
// File names without ".json", sorted; none if there is no folder. kInvalid if it cannot be listed.
Result<std::vector<std::string>> lab_task_files(const std::filesystem::path &folder);

std::string to_json(const LabTask &task);

// One execution of a task's steps.
struct LabStep {
  std::string status;  // planned, ok, failed, not run
  std::string command, ended, stdout_tail, stderr_tail;
  std::optional<int> return_code;  // absent if it did not exit by itself
  double elapsed_ms = 0;
  std::vector<std::string> written;  // files that it named on stdout
};
struct LabTaskRun {
  std::string task_name, task_slug, task_kind, status;  // status: planned, running, ok, failed, interrupted
  std::string started_utc, completed_utc, host, tool_version, tool_git;
  bool keep_going = false, dry_run = false;
  std::vector<LabStep> steps;
};
std::string to_json(const LabTaskRun &run);

}  // namespace pyc::workspace
