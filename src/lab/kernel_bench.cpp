#include "lab/kernel_bench.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "lab/hardware.h"
#include "lab/measure.h"

namespace pyc::lab {
namespace {

Result<Measured> measure_phase(const Context &context, const workspace::LabKernel &kernel, Phase phase,
                               const BenchOptions &options) {
  PYC_TRY(const Command command, kernel_command(context, kernel, phase));
  MeasureOptions measuring;
  measuring.phase = to_string(phase);
  measuring.what = fmt::format("the {}_cmd of '{}'", measuring.phase, kernel.name);
  measuring.repeats = options.repeats;
  measuring.warmup = options.warmup;
  measuring.time_limit = options.time_limit;
  return measure(context, command, measuring);
}

}  // namespace

Result<std::vector<std::string>> phases_of(const std::string &phase) {
  const std::vector<std::string> known = {"compile", "run", "both"};
  if (phase == "both") return std::vector<std::string>{"compile", "run"};
  if (std::find(known.begin(), known.end(), phase) != known.end()) return std::vector<std::string>{phase};
  return fail(ErrorKind::kInvalid, fmt::format("unknown phase '{}'", printable(phase)), suggest(phase, known));
}

Result<KernelBench> bench_kernel(const Context &context, const workspace::LabKernel &kernel,
                                 const BenchOptions &options) {
  PYC_TRY(const std::vector<std::string> phases, phases_of(options.phase));
  KernelBench bench;
  bench.result.kernel = kernel;
  bench.result.status = "completed";
  for (const std::string &name : phases) {
    const Phase phase = name == "compile" ? Phase::kCompile : Phase::kRun;
    PYC_TRY(Measured measured, measure_phase(context, kernel, phase, options));
    (phase == Phase::kCompile ? bench.result.compile : bench.result.run) = std::move(measured.phase);
    if (!measured.error) continue;
    bench.result.status = "failed";
    bench.result.failure = std::move(measured.failure);
    bench.failure = std::move(measured.error);
    break;
  }
  return bench;
}

workspace::LabResult blank_result(const Context &context, const std::string &kind, const std::string &label,
                                  const BenchOptions &options) {
  const workspace::LabHardware machine = examine_hardware(context);
  workspace::LabResult result;
  result.kind = kind;
  result.label = label;
  result.created_utc = machine.captured_utc;
  result.phase = options.phase;
  result.host = machine.host;
  result.gpu = machine.gpu_name;
  result.nvcc_path = machine.nvcc_path;
  result.nvcc_version = machine.nvcc_version;
  result.tool_version = context.tool.version;
  result.tool_git = context.tool.git;
  result.manifest = context.workspace.relative(context.paths.manifest);
  result.repeats = options.repeats;
  result.warmup = options.warmup;
  return result;
}

}  // namespace pyc::lab
