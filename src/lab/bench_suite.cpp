// `pyc lab bench-suite`: the same commands of several kernels, one after the other.
#include <algorithm>
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "lab/kernel_bench.h"
#include "lab/kernel_selection.h"
#include "lab/record_file.h"

namespace pyc::lab {
namespace {

using workspace::LabKernel;
using workspace::LabKernelResult;

// Why the kernel takes no part, or empty.
std::string missing_command(const LabKernel &kernel, const std::vector<std::string> &phases) {
  for (const std::string &phase : phases) {
    const std::string &command = phase == "compile" ? kernel.compile_cmd : kernel.run_cmd;
    if (trim(command).empty()) return fmt::format("it has no {}_cmd", phase);
  }
  return {};
}

LabKernelResult unmeasured(const LabKernel &kernel, const std::string &status, const std::string &reason) {
  LabKernelResult result;
  result.kernel = kernel;
  result.status = status;
  if (!reason.empty()) result.failure = workspace::LabFailure{"", "", reason, "", ""};
  return result;
}

// One kernel of the suite; what went wrong with it does not end the others.
LabKernelResult bench_one(const Context &context, const LabKernel &kernel, const SuiteOptions &options,
                          std::vector<Error> &failures) {
  auto timed = bench_kernel(context, kernel, options);
  if (!timed) {
    failures.push_back(timed.error());
    return unmeasured(kernel, "failed", timed.error().message);
  }
  if (timed->failure) failures.push_back(*timed->failure);
  return std::move(timed->result);
}

std::optional<Error> conclude(const std::vector<Error> &failures, std::size_t count) {
  if (failures.empty()) return std::nullopt;
  Error error = failures.back().kind == ErrorKind::kInterrupted ? failures.back() : failures.front();
  if (count > 1)
    error.message = fmt::format("{} of {} kernels have no times: {}", failures.size(), count, error.message);
  return error;
}

}  // namespace

Result<BenchResult> bench_suite(const Context &context, const SuiteOptions &options) {
  PYC_TRY(const std::vector<std::string> phases, phases_of(options.phase));
  PYC_TRY(const workspace::LabManifest manifest, workspace::read_lab_manifest(context.paths.manifest));
  PYC_TRY(const std::vector<LabKernel> kernels, select_kernels(manifest, options.tags, options.names));
  BenchResult suite;
  suite.result = blank_result(context, "suite", options.label, options);
  suite.result.tags = options.tags;
  suite.result.names = options.names;
  suite.result.dry_run = options.dry_run;
  const std::string label = options.dry_run ? options.label + "-plan" : options.label;
  PYC_TRY(suite.path, reserve_record(context.paths.results, label, context.now()));

  PYC_CHECK(write_file_atomic(suite.path, to_json(suite.result)));  // a suite that is killed leaves a document
  std::vector<Error> failures;
  for (const LabKernel &kernel : kernels) {
    const std::string missing = missing_command(kernel, phases);
    suite.result.kernels.push_back(!missing.empty()  ? unmeasured(kernel, "skipped", missing)
                                   : options.dry_run ? unmeasured(kernel, "planned", "")
                                                     : bench_one(context, kernel, options, failures));
    PYC_CHECK(write_file_atomic(suite.path, to_json(suite.result)));
    if (!failures.empty() && failures.back().kind == ErrorKind::kInterrupted) break;
  }
  suite.failure = conclude(failures, kernels.size());
  return suite;
}

}  // namespace pyc::lab
