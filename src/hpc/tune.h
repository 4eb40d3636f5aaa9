// The verb `tune gemm`: options and result. It stands apart from hpc/verbs.h because nobody else needs what it
// includes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/tuning.h"
#include "hpc/tune_budget.h"
#include "hpc/verbs.h"
#include "workspace/parameter_space.h"

namespace pyc::hpc {

struct TuneOptions {
  std::string name;                                              // of the candidate that the winner becomes
  std::string arch, dtype, layout, shape_family, template_name;  // empty: as for create
  workspace::Restrictions restrictions;                          // parameters that may only have these values
  std::vector<evidence::Shape> shapes;                           // empty: the family's
  TuneBudget budget{kDefaultTries, std::nullopt};
  std::uint64_t seed = kDefaultSeed;
  int jobs = 0;              // compilers at a time; 0: as many as there are processors
  bool keep_spills = false;  // time sets too that spill more than the defaults
  bool exhaustive = false;   // time every valid set as a finalist: the check of the search itself
  bool restart = false;      // forget what an earlier run of the same search found
  bool dry_run = false;
  std::chrono::milliseconds silence_limit{std::chrono::minutes(2)};
};
struct TuneResult {
  std::filesystem::path record_path;
  evidence::Tuning document;
  std::optional<std::filesystem::path> winner;  // folder of the new candidate
  std::vector<evidence::Warning> warnings;
  std::optional<Error> failure;  // why there is no winner: none is valid, no GPU, no compiler, Ctrl-C
};
// The record is written after every step, and the same search goes on from it; errors are for what left none.
Result<TuneResult> tune(const Context &context, const TuneOptions &options);

}  // namespace pyc::hpc
