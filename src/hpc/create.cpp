// `pyc hpc create gemm`: a template or another candidate becomes a fresh candidate folder.
#include <algorithm>
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "hpc/verbs.h"
#include "toolchain/arch.h"
#include "workspace/families.h"

namespace pyc::hpc {
namespace {

std::string or_default(const std::string &given, const std::string &fallback) {
  return given.empty() ? fallback : given;
}

Status require_one_of(const char *what, const std::string &given, const std::vector<std::string> &known) {
  if (std::find(known.begin(), known.end(), given) != known.end()) return {};
  return fail(ErrorKind::kInvalid, fmt::format("unknown {} '{}'", what, printable(given)), suggest(given, known));
}

// Every word that was given is a known one; empty words were not given.
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

// The template that was named, or the first that offers what the contract asks for.
Result<workspace::Template> choose_template(const Context &context, const std::string &named,
                                            const workspace::Contract &wanted) {
  std::vector<workspace::Template> candidates;
  if (named.empty()) {
    PYC_TRY(candidates, workspace::read_templates(context.workspace));
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
  PYC_TRY(const workspace::Template chosen, choose_template(context, options.template_name, contract));
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

Status refuse_other(const char *flag, const std::string &given, const std::string &has, const std::string &from) {
  if (given.empty() || given == has) return {};
  return fail(ErrorKind::kInvalid, fmt::format("--{} '{}' does not fit --from: '{}' is {}", flag, given, from, has),
              fmt::format("leave out --{}, or create the candidate from a template", flag));
}

Status refuse_subfolder(const std::string &from, const std::string &place) {
  return fail(ErrorKind::kInvalid, fmt::format("--from '{}': '{}' lies in a folder below it", from, place),
              "--from copies files, not folders: put the header beside kernel.cu");
}

// Every file of the folder that the digest covers, with the symbol renamed.
Status copy_sources(const workspace::Workspace &workspace, const workspace::Candidate &source, const std::string &name,
                    workspace::NewCandidate &copy) {
  const std::filesystem::path folder = workspace.candidate(source.contract.name);
  for (const evidence::FileHash &file : source.ref.files) {
    const std::filesystem::path path = workspace.root / file.path;
    const std::filesystem::path place = path.lexically_relative(folder);
    if (*place.begin() == "..") continue;  // a header that candidates share
    if (place.has_parent_path()) return refuse_subfolder(source.contract.name, place.generic_string());
    PYC_TRY(const std::string text, read_file(path));
    copy.headers[place.string()] = workspace::rename_symbol(text, source.contract.name, name);
  }
  copy.kernel_source = copy.headers.extract("kernel.cu").mapped();
  copy.harness_source = copy.headers.extract("harness.cu").mapped();
  return {};
}

void forget_measurements(workspace::RuntimeFigures &figures) {
  workspace::RuntimeFigures fresh;
  fresh.priority = figures.priority;
  fresh.tensor_core = figures.tensor_core;
  figures = fresh;
}

Result<workspace::NewCandidate> from_candidate(const Context &context, const CreateOptions &options) {
  if (!options.parameters.empty() || !options.template_name.empty()) {
    return fail(ErrorKind::kInvalid, "--from copies the sources as they are and takes no template or parameters",
                "leave them out and edit the constants at the top of the copy's kernel.cu");
  }
  PYC_TRY(const workspace::Candidate source, workspace::read_candidate(context.workspace, options.from));
  workspace::NewCandidate copy;
  copy.contract = source.contract;
  workspace::Contract &contract = copy.contract;
  PYC_CHECK(refuse_other("dtype", options.dtype, contract.dtype, options.from));
  PYC_CHECK(refuse_other("layout", options.layout, contract.layout, options.from));
  PYC_CHECK(copy_sources(context.workspace, source, options.name, copy));

  contract.name = options.name;
  contract.symbol = "pyc_gemm_" + options.name;
  contract.arch = or_default(options.arch, contract.arch);
  const std::string family = or_default(options.shape_family, contract.shape_family);
  if (family != contract.shape_family) contract.shapes.clear();  // they were chosen for the other family
  contract.shape_family = family;
  forget_measurements(contract.runtime);
  return copy;
}

}  // namespace

Result<CreateResult> create(const Context &context, const CreateOptions &options) {
  PYC_CHECK(workspace::check_candidate_name(options.name));
  PYC_CHECK(check_words(options));
  PYC_CHECK(require_absent(context.workspace, options.name));
  PYC_TRY(const workspace::NewCandidate fresh,
          options.from.empty() ? from_template(context, options) : from_candidate(context, options));
  PYC_CHECK(workspace::write_candidate(context.workspace, fresh));
  PYC_TRY(workspace::Candidate candidate, workspace::read_candidate(context.workspace, options.name));
  return CreateResult{std::move(candidate), context.workspace.candidate(options.name)};
}

}  // namespace pyc::hpc
