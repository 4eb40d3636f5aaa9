// `pyc hpc bench`: how fast is the candidate beside the incumbent and the vendor's libraries?
#include <algorithm>
#include <fmt/format.h>

#include "hpc/bench_summary.h"
#include "hpc/contenders.h"
#include "hpc/recorded_run.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

using evidence::Benchmark;

void take_shapes(Benchmark &document, const evidence::HarnessTranscript &transcript) {
  document.shapes = transcript.benchmarks();
}

Benchmark planned(const Context &context, const RunPlan &plan) {
  Benchmark document;
  document.header = planned_header(context, plan.candidate, evidence::Kind::kBenchmark);
  document.header.warnings = plan.warnings;
  document.header.toolchain.flags = workspace::kernel_flags(*toolchain::find_arch(plan.candidate.contract.arch));
  document.seed = plan.request.seed;
  document.warmup = plan.request.warmup;
  document.repeats = plan.request.repeats;
  take_shapes(document, evidence::HarnessTranscript(plan.request));
  return document;
}

std::optional<Error> conclude(const std::string &name, Benchmark &document) {
  for (evidence::Warning &warning : bench_warnings(document)) document.header.warnings.push_back(std::move(warning));
  const auto incomplete = std::count_if(document.shapes.begin(), document.shapes.end(),
                                        [](const auto &shape) { return shape.status != "completed"; });
  document.header.status = incomplete == 0 ? evidence::DocumentStatus::kCompleted : evidence::DocumentStatus::kFailed;
  if (incomplete == 0) return std::nullopt;
  return Error{ErrorKind::kNo,
               fmt::format("'{}' was not timed soundly at {} of {} shapes", name, incomplete, document.shapes.size()),
               {}};
}

std::vector<std::string> vendor_folders(const toolchain::Nvcc &nvcc) {
  std::vector<std::string> folders;
  for (const std::filesystem::path &folder : toolchain::library_folders(nvcc)) folders.push_back(folder.string());
  return folders;
}

}  // namespace

Result<RunResult<Benchmark>> bench(const Context &context, const BenchOptions &options) {
  PYC_TRY(RunPlan plan, plan_run(context, "bench", options, false));
  plan.request.warmup = options.warmup;
  plan.request.repeats = options.repeats;
  PYC_TRY(Contenders contenders, choose_contenders(context, plan.candidate, options.against));
  if (options.null) std::erase_if(contenders.list, [](const auto &contender) { return contender.role == "incumbent"; });
  plan.warnings.insert(plan.warnings.end(), contenders.warnings.begin(), contenders.warnings.end());
  Benchmark document = planned(context, plan);
  if (options.dry_run) return record_plan(context, std::move(document));

  PYC_TRY(const Machine machine, prepare_machine(context, plan.candidate));
  PYC_TRY(const workspace::CandidateBuild build, build_on(context, machine, plan.candidate));
  PYC_CHECK(build_contenders(context, machine, contenders));
  plan.request.contenders = std::move(contenders.list);
  plan.request.vendor_library_dirs = vendor_folders(machine.nvcc);
  return record_run<Benchmark>(context, machine, build, plan.request, options.silence_limit, std::move(document),
                               take_shapes, [&](Benchmark &ended) { return conclude(options.name, ended); });
}

}  // namespace pyc::hpc
