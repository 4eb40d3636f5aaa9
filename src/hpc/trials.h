// The sets of one search, made and checked one by one: instance, compile, fit, quick checks.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/harness_events.h"
#include "evidence/tuning.h"
#include "hpc/context.h"
#include "hpc/harness_run.h"
#include "hpc/search.h"
#include "toolchain/gpu.h"
#include "toolchain/nvcc.h"
#include "workspace/trial_build.h"

namespace pyc::hpc {

// What the machine offers a search.
struct Bench {
  toolchain::Nvcc nvcc;
  std::vector<toolchain::GpuInfo> gpus;  // empty: sets are compiled only
  std::filesystem::path loader;          // empty without a GPU
};

// Shapes at which a set is checked: the `problems` with the least work and their odd twins, as far as the template's
// `requires` admits those.
std::vector<evidence::HarnessRequest::RequestedShape> checked_shapes(const Search &search, std::size_t problems);

class Trials {
 public:
  Trials(const Context &context, const Search &search, const Bench &bench, std::chrono::milliseconds silence_limit);

  // The set with what became of it; safe to call from several threads. Errors are of the machine, not of the set.
  Result<evidence::TunedSet> prepare(evidence::TunedSet set);

  // The shared object of a set that has been compiled; built again if the cache has lost it.
  Result<std::filesystem::path> library(const evidence::TunedSet &set) const;

  // What the harness saw of the GPU, and what nvidia-smi adds.
  evidence::Gpu gpu(const evidence::Gpu &seen) const;
  const std::string &symbol() const { return search_.contract.symbol; }
  const Bench &bench() const { return bench_; }

  // A request for some of the search's problems, without shapes.
  evidence::HarnessRequest request(const std::string &mode) const;
  // The loader with this set's kernel as the candidate.
  Result<HarnessProgram> program(const evidence::TunedSet &set) const;

  // Whether the set passes the quick checks at so many problems: its status, and the reason if not.
  Status check(evidence::TunedSet &set, std::size_t problems);
  // The same at all of the search's.
  Status check_everywhere(evidence::TunedSet &set) { return check(set, search_.shapes.size()); }

 private:
  Status compile(evidence::TunedSet &set);
  Result<workspace::TrialBuild> build(const workspace::Parameters &parameters) const;
  // The template's defaults, compiled once, by whichever thread asks first: those of the search, or where that leaves
  // them out the template's own. Nothing if they break the template's rules.
  const std::optional<Result<workspace::TrialBuild>> &defaults();
  // What the defaults spill: no reason to put another set out. 0 if they do not compile; an error if that is the
  // machine's fault.
  Result<std::int64_t> usual_spill_bytes();

  Context context_;  // says nothing about its progress
  const Search &search_;
  const Bench &bench_;
  std::chrono::milliseconds silence_limit_;
  std::counting_semaphore<> gpu_places_;
  std::once_flag defaults_once_;
  std::optional<Result<workspace::TrialBuild>> defaults_;
};

}  // namespace pyc::hpc
