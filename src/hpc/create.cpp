// `pyc hpc create gemm`: a template or another candidate becomes a fresh candidate folder.
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "hpc/new_candidate.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

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
  if (source.contract.is_imported()) {
    return fail(ErrorKind::kInvalid,
                fmt::format("--from '{}': it is imported, and has no harness to copy", options.from),
                "convert it first (docs/compiler-next/kernel-lab.md)");
  }
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
