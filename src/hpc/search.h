// One search over a template's parameters: what is looked for, and in which order. Decided before anything is compiled.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/tuning.h"
#include "hpc/coverage_order.h"
#include "hpc/tune.h"
#include "workspace/candidate.h"
#include "workspace/parameter_space.h"
#include "workspace/template.h"

namespace pyc::hpc {

// The name that the kernels of a search have: they are never candidates.
constexpr const char *kTrialName = "trial";

struct Search {
  workspace::Template from;
  std::string template_digest;
  workspace::Contract contract;  // what all sets promise alike
  workspace::ParameterSpace space;
  std::vector<evidence::Shape> shapes;
  std::uint64_t seed = kDefaultSeed;
  bool keep_spills = false, exhaustive = false;
  std::vector<evidence::Warning> warnings;
};

// kInvalid for words, a template, parameters or shapes that do not fit, and for a candidate of that name.
Result<Search> plan_search(const Context &context, const TuneOptions &options);

// Names the search: the same template, selector, arch, shapes, levels and seed, and the same compiler.
std::string key_of(const Search &search, const std::string &nvcc_version);

// The sets in the order of the search; the template's own defaults come first.
CoverageOrder order_of(const Search &search);

// What the set would be as a candidate of the name kTrialName.
Result<workspace::NewCandidate> instance_of(const Context &context, const Search &search,
                                            const workspace::Parameters &parameters);

}  // namespace pyc::hpc
