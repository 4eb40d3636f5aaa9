// `pyc hpc tune gemm`: which parameters make a template fastest for a selector? docs/tuning.md says how it is found.
#include "hpc/tune.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

#include "base/process.h"
#include "hpc/evidence_file.h"
#include "hpc/trials.h"
#include "hpc/tune_preparation.h"
#include "hpc/tune_timing.h"
#include "hpc/tuning_file.h"
#include "workspace/trial_build.h"

namespace pyc::hpc {
namespace {

using evidence::DocumentStatus;
using evidence::TunedSet;
using evidence::Tuning;

// What of the machine is there, and what is missing for the rest of the way.
struct Found {
  Bench bench;
  std::optional<Error> no_compiler, no_gpu;
};

Found look_around(const Context &context, const toolchain::Arch &arch) {
  Found found;
  const auto nvcc = toolchain::find_nvcc(context.nvcc, context.environment);
  if (!nvcc) {
    found.no_compiler = nvcc.error();
    return found;
  }
  found.bench.nvcc = *nvcc;
  if (const Status able = toolchain::require_arch(*nvcc, arch); !able) found.no_compiler = able.error();
  const auto gpus = toolchain::query_gpus(context.environment);
  if (!gpus) {
    found.no_gpu = gpus.error();
    return found;
  }
  for (const toolchain::GpuInfo &gpu : *gpus)
    if (gpu.compute_capability == arch.compute_capability) found.bench.gpus.push_back(gpu);
  if (found.bench.gpus.empty()) {
    found.no_gpu =
        Error{ErrorKind::kUnavailable,
              fmt::format("no GPU of the arch {} (compute capability {}) is here", arch.name, arch.compute_capability),
              "run it on such a GPU, or search for another arch with --arch"};
  }
  return found;
}

Tuning fresh_record(const Context &context, const TuneOptions &options, const Search &search, const Found &found) {
  Tuning tuning;
  tuning.key = key_of(search, found.bench.nvcc.version);
  tuning.tool = context.tool;
  tuning.created_utc = utc_iso(context.now());
  tuning.command = context.command;
  tuning.name = options.name;
  tuning.template_name = search.from.name;
  tuning.selector = search.contract.selector();
  tuning.arch = search.contract.arch;
  for (const workspace::ParameterLevels &levels : search.space.levels()) tuning.levels[levels.name] = levels.values;
  tuning.space_sets = search.space.size();
  tuning.seed = search.seed;
  tuning.budget = to_string(options.budget);
  tuning.shapes = search.shapes;
  const toolchain::Nvcc &nvcc = found.bench.nvcc;
  tuning.toolchain = {nvcc.path.string(), nvcc.version, nvcc.host_compiler,
                      workspace::kernel_flags(*toolchain::find_arch(search.contract.arch))};
  tuning.host = host_record();
  return tuning;
}

Error no_winner(const Tuning &tuning) {
  return {ErrorKind::kNo, fmt::format("none of {} sets compiles, fits and is right", tuning.sets.size()),
          "the record has the reason of each; try other values with --set, or --keep-spills"};
}

// The winner as `create` would have made it.
Result<std::filesystem::path> write_winner(const Context &context, const TuneOptions &options, const Search &search,
                                           const TunedSet &set) {
  PYC_TRY(const std::string now, workspace::template_digest(context.workspace, search.from));
  if (now != search.template_digest) {
    return fail(ErrorKind::kInvalid, fmt::format("the template '{}' changed while it was searched", search.from.name),
                "run the command again: the changed template is another search");
  }
  const workspace::Contract &contract = search.contract;
  PYC_TRY(const CreateResult created, create(context, {options.name, contract.arch, contract.dtype, contract.layout,
                                                       contract.shape_family, search.from.name, set.parameters, ""}));
  return created.folder;
}

// Samples of another GPU are not compared with those of this one. The harness takes the first.
void forget_other_gpu(Tuning &tuning, const Bench &bench, std::vector<evidence::Warning> &warnings) {
  if (!tuning.gpu || bench.gpus.empty()) return;
  if (bench.gpus.front().uuid == tuning.gpu->uuid) return;
  tuning.gpu.reset();
  if (tuning.rounds.empty()) return;
  tuning.rounds.clear();
  warnings.push_back({"other_gpu", "the earlier run timed on another GPU", "all sets are timed again on this one"});
}

Status make_ready(const Context &context, const Search &search, Bench &bench) {
  if (bench.gpus.empty()) return {};
  const toolchain::Arch &arch = *toolchain::find_arch(search.contract.arch);
  const auto tell = [&](const std::string &what) { context.progress({what, 0, 0}); };
  PYC_TRY(const workspace::HarnessBuild harness, workspace::build_harness(context.workspace, bench.nvcc, arch, tell));
  PYC_TRY(bench.loader, workspace::build_loader(context.workspace, bench.nvcc, arch, harness, tell));
  return {};
}

// An exhaustive search has nobody to look beside: all of its sets cover.
std::vector<Generation> plan_of(const TuneOptions &options, const Search &search) {
  std::vector<Generation> plan = generations(options.budget, search.space.size());
  if (options.exhaustive) plan = {plan.back()};
  return plan;
}

// From the sets to the winner; what stands in the way is the error.
Result<std::filesystem::path> search_on(const Context &context, const TuneOptions &options, const Search &search,
                                        Found &found, TuningFile &file, const SearchClock &clock) {
  const std::vector<Generation> plan = plan_of(options, search);
  Preparation preparation(context, options, search, clock, file);
  preparation.cover(plan.front());
  if (found.no_compiler) return tl::unexpected<Error>(*found.no_compiler);
  PYC_CHECK(make_ready(context, search, found.bench));
  Trials trials(context, search, found.bench, options.silence_limit);
  const int processors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int jobs = options.jobs > 0 ? options.jobs : processors;
  PYC_CHECK(preparation.run(trials, !found.bench.gpus.empty(), jobs));
  if (found.no_gpu) {
    return fail(found.no_gpu->kind, "the sets were compiled and not timed: " + found.no_gpu->message,
                found.no_gpu->hint);
  }
  Timing timing(context, options, trials, clock, file);
  for (std::size_t i = 1; i < plan.size(); ++i) {
    PYC_TRY(const std::vector<int> best, timing.leaders());
    preparation.look_beside(best, plan[i]);
    PYC_CHECK(preparation.run(trials, true, jobs));
  }
  PYC_TRY(const std::optional<int> winner, timing.winner());
  if (!winner) return tl::unexpected<Error>(no_winner(file.document()));
  PYC_TRY(const std::filesystem::path folder,
          write_winner(context, options, search, file.document().sets[static_cast<std::size_t>(*winner)]));
  file.document().winner = {*winner, context.workspace.relative(folder)};
  return folder;
}

DocumentStatus status_of(const Result<std::filesystem::path> &found) {
  if (found) return DocumentStatus::kCompleted;
  return found.error().kind == ErrorKind::kUnavailable ? DocumentStatus::kPlanned : DocumentStatus::kError;
}

}  // namespace

Result<TuneResult> tune(const Context &context, const TuneOptions &options) {
  PYC_TRY(const Search search, plan_search(context, options));
  Found found = look_around(context, *toolchain::find_arch(search.contract.arch));
  PYC_TRY(TuningFile file, TuningFile::open(context, fresh_record(context, options, search, found), options.restart));
  TuneResult result{file.path(), {}, {}, search.warnings, {}};
  forget_other_gpu(file.document(), found.bench, result.warnings);
  const SearchClock clock(file.document().elapsed_ns);
  if (options.dry_run) {
    Preparation(context, options, search, clock, file).cover(plan_of(options, search).front());
  } else {
    file.document().status = DocumentStatus::kError;
    file.document().error = "the search has not ended";
    file.document().winner.reset();
    PYC_CHECK(file.save(context));  // before minutes go into what cannot be kept
    const auto winner = search_on(context, options, search, found, file, clock);
    file.document().status = status_of(winner);
    file.document().error = winner ? "" : winner.error().message;
    if (winner) result.winner = *winner;
    if (!winner) result.failure = winner.error();
    const bool stopped = result.failure && result.failure->kind == ErrorKind::kInterrupted;
    if (stopped) result.failure->hint = "the same command goes on where it was";
  }
  file.document().elapsed_ns = clock.spent().count();
  PYC_CHECK(file.save(context));
  result.document = file.document();
  return result;
}

}  // namespace pyc::hpc
