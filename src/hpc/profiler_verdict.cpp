#include "hpc/profiler_verdict.h"

#include <fmt/format.h>

#include "base/text.h"
#include "toolchain/ncu.h"

namespace pyc::hpc {
namespace {

// Kernels of kernels/harness live here, under a name that ncu shortens to "pyc::<unnamed>::"; a candidate's do not.
constexpr const char *kHarnessNamespace = "pyc::";

constexpr const char *kPermissionHint =
    "run pyc as root, in a container with --cap-add=SYS_ADMIN, or load the driver with "
    "NVreg_RestrictProfilingToAdminUsers=0; 'pyc hpc doctor' says whether it is restricted";

std::string output_of(const ProcessResult &ended) { return ended.standard_output + "\n" + ended.standard_error; }

// The first line that ncu marks as an error, without the mark; empty if there is none.
std::string first_error(const std::string &output) {
  constexpr std::string_view kMark = "==ERROR==";
  for (const std::string &line : split(output, '\n')) {
    const std::size_t at = line.find(kMark);
    if (at != std::string::npos) return printable(trim(std::string_view(line).substr(at + kMark.size())));
  }
  return {};
}

Error nothing_captured() {
  return {
      ErrorKind::kUnavailable, "the profiler captured no kernel",
      "run the command that the evidence keeps by hand: does the executable launch its kernel, and is the GPU visible "
      "(CUDA_VISIBLE_DEVICES)?"};
}

Error judge_failure(const ProcessResult &ended, const std::string &error) {
  if (!error.empty() && error.find("application returned an error") == std::string::npos) {
    return {ErrorKind::kUnavailable, "the profiler cannot look here: " + error,
            "'pyc hpc doctor' shows driver and profiler; end other profilers on this GPU"};
  }
  const std::string words = error.empty() ? "" : ": " + error;
  return {ErrorKind::kNo, fmt::format("the profiler ended with {}{}", ended.describe(), words),
          "the evidence keeps its output; validate the candidate first"};
}

evidence::ProfiledKernel to_record(const toolchain::NcuLaunch &launch) {
  evidence::ProfiledKernel kernel{launch.kernel, {}};
  for (const toolchain::NcuMetric &metric : launch.metrics)
    kernel.metrics.push_back({metric.name, metric.unit, metric.text, metric.value});
  return kernel;
}

}  // namespace

std::optional<Error> judge_profiler(const ProcessResult &ended) {
  const std::string output = output_of(ended);
  if (ended.end == ProcessEnd::kInterrupted) return Error{ErrorKind::kInterrupted, "interrupted", {}};
  if (toolchain::lacks_permission(output)) {
    return Error{ErrorKind::kUnavailable, "no permission to read the GPU's performance counters (ERR_NVGPUCTRPERM)",
                 kPermissionHint};
  }
  if (ended.end == ProcessEnd::kTimeLimit) {
    return Error{ErrorKind::kNo, "the profiler was " + ended.describe(), "give it more time with --timeout SECONDS"};
  }
  if (!ended.succeeded()) return judge_failure(ended, first_error(output));
  if (toolchain::says_nothing_was_profiled(output)) return nothing_captured();
  return std::nullopt;
}

Result<std::vector<evidence::ProfiledKernel>> read_kernels(const ProcessResult &ended) {
  if (trim(ended.standard_output).empty()) return tl::unexpected<Error>(nothing_captured());
  auto launches = toolchain::parse_ncu_csv(ended.standard_output);
  if (!launches) {
    return fail(launches.error().kind, launches.error().message,
                "the evidence keeps the whole answer; another version of ncu may write another form");
  }
  std::vector<evidence::ProfiledKernel> kernels;
  for (const toolchain::NcuLaunch &launch : *launches)
    if (launch.kernel.find(kHarnessNamespace) == std::string::npos) kernels.push_back(to_record(launch));
  if (kernels.empty()) return tl::unexpected<Error>(nothing_captured());
  return kernels;
}

}  // namespace pyc::hpc
