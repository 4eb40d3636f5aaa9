#include "hpc/search.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "hpc/new_candidate.h"
#include "hpc/run_plan.h"
#include "workspace/families.h"
#include "workspace/trial_build.h"

namespace pyc::hpc {
namespace {

CreateOptions as_create(const TuneOptions &options, const std::string &name, workspace::Parameters parameters) {
  return {name,
          options.arch,
          options.dtype,
          options.layout,
          options.shape_family,
          options.template_name,
          std::move(parameters),
          ""};
}

workspace::Contract wanted_contract(const TuneOptions &options) {
  workspace::Contract contract;
  contract.name = kTrialName;
  contract.symbol = fmt::format("pyc_gemm_{}", kTrialName);
  contract.dtype = or_default(options.dtype, kDefaultDtype);
  contract.layout = or_default(options.layout, kDefaultLayout);
  contract.arch = or_default(options.arch, kDefaultArch);
  contract.shape_family = or_default(options.shape_family, kDefaultFamily);
  return contract;
}

// The parameters that were named, each with a value that it may have.
workspace::Parameters named(const workspace::Restrictions &restrictions) {
  workspace::Parameters parameters;
  for (const auto &[name, values] : restrictions) parameters[name] = values.front();
  return parameters;
}

Status check_shapes(Search &search) {
  const workspace::Requires &rules = search.contract.requirements;
  for (const evidence::Shape &shape : search.shapes) {
    if (!admits(rules, shape)) {
      return fail(ErrorKind::kInvalid,
                  fmt::format("shape '{}' breaks what the template '{}' requires: m, n, k multiples of {}, {}, {}",
                              to_string(shape), search.from.name, rules.m_multiple, rules.n_multiple, rules.k_multiple),
                  "choose other shapes with --shape");
    }
    const std::string family = pyc_shape_family_name(pyc_gemm_shape_family(shape.m, shape.n, shape.k));
    if (family == search.contract.shape_family) continue;
    search.warnings.push_back({"shape_outside_family",
                               fmt::format("{} belongs to the family {}, the search is for {}", to_string(shape),
                                           family, search.contract.shape_family),
                               "the runtime will not ask the winner for that shape"});
  }
  return {};
}

std::vector<evidence::Shape> each_once(const std::vector<evidence::Shape> &shapes) {
  std::vector<evidence::Shape> once;
  for (const evidence::Shape &shape : shapes)
    if (std::find(once.begin(), once.end(), shape) == once.end()) once.push_back(shape);
  return once;
}

}  // namespace

Result<Search> plan_search(const Context &context, const TuneOptions &options) {
  PYC_CHECK(workspace::check_candidate_name(options.name));
  PYC_CHECK(check_words(as_create(options, options.name, {})));
  PYC_CHECK(require_absent(context.workspace, options.name));
  Search search;
  search.contract = wanted_contract(options);
  PYC_TRY(search.from, choose_template(context, options.template_name, search.contract, named(options.restrictions)));
  PYC_TRY(search.template_digest, workspace::template_digest(context.workspace, search.from));
  search.contract.template_name = search.from.name;
  search.contract.requirements = search.from.requirements;
  search.contract.workspace = search.from.workspace;
  search.contract.runtime.tensor_core = search.from.tensor_core;
  search.shapes = each_once(options.shapes.empty() ? search.contract.timed_shapes() : options.shapes);
  search.seed = options.seed;
  search.keep_spills = options.keep_spills;
  search.exhaustive = options.exhaustive;
  PYC_CHECK(check_shapes(search));
  PYC_TRY(search.space, workspace::ParameterSpace::enumerate(search.from, options.restrictions, search.contract.arch));
  return search;
}

std::string key_of(const Search &search, const std::string &nvcc_version) {
  std::vector<std::string> facts = {evidence::kTuningSchema,
                                    "template " + search.template_digest,
                                    "selector " + search.contract.selector(),
                                    "arch " + search.contract.arch,
                                    fmt::format("seed {}", search.seed),
                                    fmt::format("keep spills {}", search.keep_spills),
                                    fmt::format("exhaustive {}", search.exhaustive),
                                    "nvcc " + nvcc_version};
  for (const evidence::Shape &shape : search.shapes) facts.push_back("shape " + to_string(shape));
  for (const workspace::ParameterLevels &levels : search.space.levels())
    facts.push_back(fmt::format("{} {}", levels.name, fmt::join(levels.values, " ")));
  return sha256_hex(join(facts, "\n"));
}

CoverageOrder order_of(const Search &search) {
  std::vector<std::size_t> counts;
  for (const workspace::ParameterLevels &levels : search.space.levels()) counts.push_back(levels.values.size());
  return CoverageOrder(
      std::move(counts), search.space.size(), [&space = search.space](std::uint64_t id) { return space.places(id); },
      search.seed);
}

Result<workspace::NewCandidate> instance_of(const Context &context, const Search &search,
                                            const workspace::Parameters &parameters) {
  const workspace::Contract &contract = search.contract;
  return from_template(context, {contract.name, contract.arch, contract.dtype, contract.layout, contract.shape_family,
                                 search.from.name, parameters, ""});
}

}  // namespace pyc::hpc
