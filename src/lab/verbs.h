// The verbs of `pyc lab`, one source file each. Options are what the command line offers; results are what it prints.
// Every verb reads the manifest anew: kSchema if it breaks its schema, kInvalid for a name that it does not have.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/context.h"
#include "toolchain/doctor.h"
#include "workspace/lab_manifest.h"
#include "workspace/lab_result.h"
#include "workspace/lab_task.h"

namespace pyc::lab {

constexpr std::chrono::minutes kCommandTimeLimit{10};  // of one command
constexpr std::chrono::minutes kStepTimeLimit{60};     // of one step of a task

struct DoctorResult {
  std::vector<toolchain::DoctorCheck> checks;
  std::optional<Error> failure;  // kSchema for the first file that is not in order; a missing toolchain is none
};
Result<DoctorResult> doctor(const Context &context);

Result<workspace::LabManifest> list(const Context &context);
Result<workspace::LabKernel> show(const Context &context, const std::string &name);

// One run of a kernel's command.
struct CommandResult {
  std::string command;  // expanded, as a shell would read it
  std::string standard_output, standard_error;
  double elapsed_ms = 0;
  std::optional<double> best_ms, gflops;  // as the program printed them
  std::optional<Error> failure;           // kNo, kInterrupted
};
struct CommandOptions {
  std::string name;
  std::chrono::milliseconds time_limit = kCommandTimeLimit;
};
Result<CommandResult> compile(const Context &context, const CommandOptions &options);
Result<CommandResult> run(const Context &context, const CommandOptions &options);

struct BenchOptions {
  std::string phase;  // compile, run, both
  int repeats = 10, warmup = 2;
  std::chrono::milliseconds time_limit = kCommandTimeLimit;
};
// The result's file is written whatever the outcome, after each kernel; `failure` says why something has no times.
struct BenchResult {
  std::filesystem::path path;
  workspace::LabResult result;
  std::optional<Error> failure;
};
Result<BenchResult> bench(const Context &context, const std::string &name, const BenchOptions &options);

struct SuiteOptions : BenchOptions {
  std::vector<std::string> tags, names;  // one of the tags, and one of the names; empty: any
  bool dry_run = false;
  std::string label = "kernel-suite";
};
Result<BenchResult> bench_suite(const Context &context, const SuiteOptions &options);
Result<BenchResult> bench_cmd(const Context &context, const std::string &label, const std::string &command,
                              const BenchOptions &options);

// One phase of one kernel in both results. Where each side has one kernel only, the two may differ.
struct ComparedTiming {
  workspace::LabTiming left, right;
};
struct CompareResult {
  std::vector<ComparedTiming> rows;
  std::vector<std::string> left_out;  // "NAME run": in one of them only
};
Result<CompareResult> compare(const std::filesystem::path &left, const std::filesystem::path &right);

workspace::LabHardware task_hardware(const Context &context);

struct TaskCreateOptions {
  std::string name, kind = "gemm", objective, baseline, control_kernel;  // baseline: empty for the baselines' own
  std::vector<std::string> candidate_tags, candidate_names;
  std::optional<double> target_tflops_min, target_tflops_max;
  int repeats = 10, warmup = 2;
  std::vector<std::string> pass_on;  // --manifest and --nvcc as they were given, for the steps
};
struct TaskCreateResult {
  std::filesystem::path path;
  workspace::LabTask task;
};
Result<TaskCreateResult> task_create(const Context &context, const TaskCreateOptions &options);

struct TaskRow {
  std::string slug;
  std::optional<workspace::LabTask> task;
  std::string problem;  // why it cannot be read
};
Result<std::vector<TaskRow>> task_list(const Context &context);
Result<workspace::LabTask> task_show(const Context &context, const std::string &name);

struct TaskRunOptions {
  std::string name;
  bool keep_going = false, dry_run = false;
  std::chrono::milliseconds time_limit = kStepTimeLimit;
};
struct TaskRunResult {
  std::filesystem::path path;  // of the record, which is written after each step
  workspace::LabTaskRun run;
  std::optional<Error> failure;
};
Result<TaskRunResult> task_run(const Context &context, const TaskRunOptions &options);

struct TaskCompleteOptions {
  std::string name, winner, notes;
  std::filesystem::path result_json;  // empty: none is named
};
struct TaskCompleteResult {
  std::filesystem::path path;  // of the task
  workspace::LabTask task;
  workspace::LabBaseline baseline;
  std::string replaced;  // the kernel that was the baseline of this key, or empty
  std::vector<evidence::Warning> warnings;
};
Result<TaskCompleteResult> task_complete(const Context &context, const TaskCompleteOptions &options);

}  // namespace pyc::lab
