// kernels/lab/results/: what the lab's bench verbs measured, as documents that `pyc lab compare` reads again.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "workspace/lab_manifest.h"

namespace pyc::workspace {

constexpr const char *kLabResultSchema = "pyc.lab.result/1";

// Wall-clock times of a command's runs, process start and end included.
struct LabTimes {
  double mean_ms = 0, median_ms = 0, p95_ms = 0, min_ms = 0, max_ms = 0, stdev_ms = 0;
  std::vector<double> samples_ms;
};

// One command, run again and again.
struct LabPhase {
  std::string command;  // expanded, as a shell would read it
  LabTimes times;
  std::string stdout_tail, stderr_tail;   // of the last run
  std::map<std::string, double> metrics;  // key=value lines of the last run's stdout
  std::optional<double> best_ms, gflops;  // the best that any run printed: what the kernel itself measured
};

// Why a kernel has no times.
struct LabFailure {
  std::string phase, command, reason, stdout_tail, stderr_tail;
};

struct LabKernelResult {
  LabKernel kernel;
  std::string status;  // completed, failed, skipped, planned
  std::optional<LabPhase> compile, run;
  std::optional<LabFailure> failure;
};

struct LabResult {
  std::string kind;  // bench (one kernel), suite (several), command (no kernel)
  std::string created_utc, label, phase, host, gpu, nvcc_path, nvcc_version, tool_version, tool_git;
  std::string manifest;                  // relative to the workspace if it lies there
  std::vector<std::string> tags, names;  // filters of a suite
  int repeats = 0, warmup = 0;
  bool dry_run = false;
  std::vector<LabKernelResult> kernels;  // of bench and suite
  std::optional<LabPhase> command;       // of command
};
std::string to_json(const LabResult &result);

// What can be told of any result, those of the lab's earlier tool included.
struct LabTiming {
  std::string kernel, phase;  // phase: compile, run, command
  double mean_ms = 0;
  std::vector<double> samples_ms;  // may be empty
  std::optional<double> best_ms, gflops;
};
struct LabTimings {
  std::string kind;  // bench, suite, command
  std::vector<LabTiming> rows;
};
// kInvalid if there is no such file; kSchema, naming file and field, for one that is no result.
Result<LabTimings> read_lab_timings(const std::filesystem::path &path);

}  // namespace pyc::workspace
