// `pyc hpc bench`: how fast is the candidate beside the incumbent and the vendor's libraries?
#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "hpc/attempts.h"
#include "hpc/bench_summary.h"
#include "hpc/contenders.h"
#include "hpc/extension.h"
#include "hpc/gate_timing.h"
#include "hpc/recorded_run.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

using evidence::Benchmark;

constexpr int kMaxRepeatsFactor = 4;  // --max-repeats without the flag, in terms of --repeats

// Of the harness, beside what it is asked for: the candidate, cuBLASLt, cuBLAS and the null control.
constexpr std::size_t kOwnArms = 4;

Result<ExtensionLimits> limits_of(const BenchOptions &options, std::size_t shapes, std::size_t arms) {
  const int possible = most_repeats(shapes, arms);
  const int usual = std::max(options.repeats, std::min(kMaxRepeatsFactor * options.repeats, possible));
  const int most = options.max_repeats.value_or(usual);
  if (most > possible) {
    return fail(
        ErrorKind::kInvalid,
        fmt::format("{} '{}' may be more samples than one file of evidence holds",
                    options.repeats > possible ? "--repeats" : "--max-repeats",
                    options.repeats > possible ? options.repeats : most),
        fmt::format("{} with {}: there is room for {}", counted(shapes, "shape"), counted(arms, "arm"), possible));
  }
  if (most < options.repeats) {
    return fail(ErrorKind::kInvalid,
                fmt::format("--max-repeats '{}' is less than --repeats '{}'", most, options.repeats),
                "give at least as many, or leave it out for four times as many");
  }
  return ExtensionLimits{options.repeats, most, options.max_time};
}

// Further passes while the verdict is open. Each has samples of its own: another seed and another nonce.
class Passes {
 public:
  Passes(const Context &context, const workspace::Registry &registry, const evidence::HarnessRequest &request,
         const ExtensionLimits &limits)
      : context_(context), registry_(registry), request_(request), limits_(limits) {}

  void take(Benchmark &document, const evidence::HarnessTranscript &transcript) const {
    document.shapes = before_.empty() ? transcript.benchmarks() : extended(before_, transcript.benchmarks());
  }

  std::optional<evidence::HarnessRequest> next(Benchmark &document, const std::filesystem::path &evidence) {
    const int repeats = samples_to_add(limits_, state_of(document, evidence));
    if (repeats == 0) return std::nullopt;
    before_ = document.shapes;
    evidence::HarnessRequest request = request_;
    request.repeats = repeats;
    request.seed += static_cast<std::uint64_t>(document.passes++);
    request.nonce = make_nonce();
    return request;
  }

 private:
  ExtensionState state_of(const Benchmark &document, const std::filesystem::path &evidence) const {
    ExtensionState state{document.passes, time_spent(document.shapes), true, std::nullopt};
    for (const evidence::ShapeBenchmark &shape : document.shapes) state.sound &= shape.status == "completed";
    const evidence::CandidateRef &candidate = document.header.candidate;
    const workspace::Entry *incumbent = registry_.find(candidate.selector, candidate.arch);
    if (!incumbent || !state.sound) return state;
    const int attempts = count_attempts(context_, candidate, &incumbent->record, evidence);
    if (const auto timing = derive_timing(document, &incumbent->record, attempts); timing.incumbent) {
      const workspace::RatioInterval &ratio = timing.incumbent->overall;
      state.ratio = stats::Interval{ratio.estimate, ratio.low, ratio.high};
    }
    return state;
  }

  const Context &context_;
  const workspace::Registry &registry_;
  const evidence::HarnessRequest &request_;
  ExtensionLimits limits_;
  std::vector<evidence::ShapeBenchmark> before_;  // of the passes that have ended
};

Benchmark planned(const Context &context, const RunPlan &plan, const ExtensionLimits &limits) {
  Benchmark document;
  document.header = planned_header(context, plan.candidate, evidence::Kind::kBenchmark);
  document.header.warnings = plan.warnings;
  document.header.toolchain.flags = workspace::kernel_flags(*toolchain::find_arch(plan.candidate.contract.arch));
  document.seed = plan.request.seed;
  document.warmup = plan.request.warmup;
  document.repeats = plan.request.repeats;
  document.max_repeats = limits.max_repeats;
  document.shapes = evidence::HarnessTranscript(plan.request).benchmarks();
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

}  // namespace

Result<RunResult<Benchmark>> bench(const Context &context, const BenchOptions &options) {
  PYC_TRY(RunPlan plan, plan_run(context, "bench", options, false));
  plan.request.warmup = options.warmup;
  plan.request.repeats = options.repeats;
  PYC_TRY(Contenders contenders, choose_contenders(context, plan.candidate, options.against, options.null));
  plan.warnings.insert(plan.warnings.end(), contenders.warnings.begin(), contenders.warnings.end());
  PYC_TRY(const ExtensionLimits limits,
          limits_of(options, plan.request.shapes.size(), contenders.list.size() + kOwnArms));
  Benchmark document = planned(context, plan, limits);
  if (options.dry_run) return record_plan(context, std::move(document));

  PYC_TRY(const Machine machine, prepare_machine(context, plan.candidate));
  PYC_TRY(const workspace::CandidateBuild build, build_on(context, machine, plan.candidate));
  PYC_CHECK(build_contenders(context, machine, contenders));
  plan.request.contenders = std::move(contenders.list);
  plan.request.vendor_library_dirs = vendor_folders(machine.nvcc);
  PYC_TRY(const workspace::Registry registry, workspace::read_registry(context.workspace));
  Passes passes(context, registry, plan.request, limits);
  document.passes = 1;
  return record_run<Benchmark>(
      context, machine, build, plan.request, options.silence_limit, std::move(document),
      {[&](Benchmark &timed, const auto &transcript) { passes.take(timed, transcript); },
       [&](Benchmark &ended) { return conclude(options.name, ended); },
       [&](Benchmark &timed, const std::filesystem::path &evidence) { return passes.next(timed, evidence); }});
}

}  // namespace pyc::hpc
