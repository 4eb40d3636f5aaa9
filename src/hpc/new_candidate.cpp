#include "hpc/new_candidate.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "workspace/families.h"

namespace pyc::hpc {
namespace {

Status require_one_of(const char *what, const std::string &given, const std::vector<std::string> &known) {
  if (std::find(known.begin(), known.end(), given) != known.end()) return {};
  return fail(ErrorKind::kInvalid, fmt::format("unknown {} '{}'", what, printable(given)), suggest(given, known));
}

bool offers(const std::vector<std::string> &offered, const std::string &wanted) {
  return std::find(offered.begin(), offered.end(), wanted) != offered.end();
}

std::string describe_offer(const workspace::Template &from) {
  return fmt::format("{} offers dtype {}, layout {}, arch {}", from.name, fmt::join(from.dtypes, " or "),
                     fmt::join(from.layouts, " or "), fmt::join(from.arches, " or "));
}

bool fits(const workspace::Template &from, const workspace::Contract &wanted) {
  return offers(from.dtypes, wanted.dtype) && offers(from.layouts, wanted.layout) && offers(from.arches, wanted.arch);
}

// Those that have the parameters that were given, and of these the default template, come first.
void put_preferred_first(std::vector<workspace::Template> &templates, const workspace::Parameters &given) {
  const auto rank = [&](const workspace::Template &one) {
    return (workspace::check_parameter_names(one, given) ? 0 : 2) + (one.name == kDefaultTemplate ? 0 : 1);
  };
  std::stable_sort(templates.begin(), templates.end(), [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
}

}  // namespace

std::string or_default(const std::string &given, const std::string &fallback) {
  return given.empty() ? fallback : given;
}

Status check_words(const CreateOptions &options) {
  if (!options.arch.empty()) PYC_CHECK(require_one_of("arch", options.arch, toolchain::arch_names()));
  if (!options.dtype.empty()) PYC_CHECK(require_one_of("dtype", options.dtype, workspace::dtype_names()));
  if (!options.layout.empty()) PYC_CHECK(require_one_of("layout", options.layout, workspace::layout_names()));
  if (!options.shape_family.empty()) {
    PYC_CHECK(require_one_of("shape family", options.shape_family, workspace::family_names()));
  }
  return {};
}

Status require_absent(const workspace::Workspace &workspace, const std::string &name) {
  std::error_code ignored;
  if (!std::filesystem::exists(workspace.candidate(name), ignored)) return {};
  return fail(ErrorKind::kInvalid, fmt::format("the candidate '{}' exists already", name),
              fmt::format("choose another name, or remove '{}'", workspace.relative(workspace.candidate(name))));
}

Result<workspace::Template> choose_template(const Context &context, const std::string &named,
                                            const workspace::Contract &wanted, const workspace::Parameters &given) {
  std::vector<workspace::Template> candidates;
  if (named.empty()) {
    PYC_TRY(candidates, workspace::read_templates(context.workspace));
    put_preferred_first(candidates, given);
  } else {
    PYC_TRY(workspace::Template only, workspace::read_template(context.workspace, named));
    candidates.push_back(std::move(only));
  }
  std::vector<std::string> offered;
  for (workspace::Template &candidate : candidates) {
    if (fits(candidate, wanted)) return std::move(candidate);
    offered.push_back(describe_offer(candidate));
  }
  const std::string subject = named.empty() ? "no template offers" : fmt::format("template '{}' does not offer", named);
  return fail(ErrorKind::kInvalid,
              fmt::format("{} dtype {}, layout {}, arch {}", subject, wanted.dtype, wanted.layout, wanted.arch),
              offered.empty() ? "kernels/templates/gemm holds no template" : join(offered, "; "));
}

Result<workspace::NewCandidate> from_template(const Context &context, const CreateOptions &options) {
  workspace::Contract contract;
  contract.name = options.name;
  contract.dtype = or_default(options.dtype, kDefaultDtype);
  contract.layout = or_default(options.layout, kDefaultLayout);
  contract.arch = or_default(options.arch, kDefaultArch);
  contract.shape_family = or_default(options.shape_family, kDefaultFamily);
  contract.symbol = "pyc_gemm_" + options.name;
  PYC_TRY(const workspace::Template chosen,
          choose_template(context, options.template_name, contract, options.parameters));
  PYC_TRY(contract.template_parameters, workspace::resolve_parameters(chosen, options.parameters, contract.arch));
  contract.template_name = chosen.name;
  contract.requirements = chosen.requirements;
  contract.workspace = chosen.workspace;
  contract.runtime.tensor_core = chosen.tensor_core;

  PYC_TRY(const std::string kernel, read_file(chosen.folder / "kernel.cu"));
  PYC_TRY(const std::string harness, read_file(chosen.folder / "harness.cu"));
  workspace::NewCandidate fresh;
  const auto instantiated = [&](const std::string &source) {
    return workspace::instantiate(source, chosen, contract.template_parameters, options.name, contract.layout);
  };
  PYC_TRY(fresh.kernel_source, instantiated(kernel));
  PYC_TRY(fresh.harness_source, instantiated(harness));
  fresh.contract = std::move(contract);
  return fresh;
}

}  // namespace pyc::hpc
