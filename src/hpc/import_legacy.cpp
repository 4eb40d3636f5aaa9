// `pyc hpc import-legacy`: a kernel of the lab becomes a candidate that is not promotable yet.
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "hpc/new_candidate.h"
#include "hpc/verbs.h"
#include "workspace/families.h"
#include "workspace/lab_manifest.h"
#include "workspace/source_files.h"

namespace pyc::hpc {
namespace {

namespace fs = std::filesystem;

Status check_options(const Context &context, const ImportOptions &options) {
  PYC_CHECK(workspace::check_candidate_name(options.name));
  CreateOptions words;
  words.dtype = options.dtype;
  words.arch = options.arch;
  words.layout = options.layout;
  words.shape_family = options.shape_family;
  PYC_CHECK(check_words(words));
  return require_absent(context.workspace, options.name);
}

Result<workspace::LabKernel> find_kernel(const Context &context, const ImportOptions &options) {
  const fs::path usual = context.workspace.root / "kernels/lab/manifests/kernels.json";
  PYC_TRY(const workspace::LabManifest manifest,
          workspace::read_lab_manifest(options.manifest.empty() ? usual : options.manifest));
  PYC_TRY(workspace::LabKernel kernel, workspace::require_lab_kernel(manifest, options.legacy_name));
  for (const auto &[key, command] : {std::pair{"compile_cmd", kernel.compile_cmd}, {"run_cmd", kernel.run_cmd}}) {
    if (!trim(command).empty()) continue;
    return fail(ErrorKind::kInvalid, fmt::format("the kernel '{}' has no {}", kernel.name, key),
                "an imported candidate is checked by its own program, which both commands are needed for");
  }
  return kernel;
}

// What a candidate's folder has of its own: a header of that name would be written over.
bool is_own_file(const std::string &name) {
  return name == "kernel.cu" || name == "harness.cu" || name == "kernel.json";
}

// Headers that stand beside the source come along; what lies elsewhere in the workspace would not be found again.
Status add_headers(const fs::path &folder, const std::string &text, workspace::NewCandidate &candidate) {
  PYC_TRY(const std::vector<workspace::Include> includes, workspace::includes_of(text));
  for (const workspace::Include &include : includes) {
    std::error_code error;
    if (!include.quoted || candidate.headers.count(include.name) || !fs::exists(folder / include.name, error)) continue;
    if (include.name.find('/') != std::string::npos) {
      return fail(ErrorKind::kInvalid, fmt::format("the source includes '{}', from another folder", include.name),
                  "put the header beside the source, then import it");
    }
    if (is_own_file(include.name)) {
      return fail(ErrorKind::kInvalid,
                  fmt::format("the source includes '{}', which is the name of a candidate's own file", include.name),
                  "give the header another name, then import it");
    }
    PYC_TRY(const std::string header, read_file(folder / include.name));
    candidate.headers[include.name] = header;
    PYC_CHECK(add_headers(folder, header, candidate));
  }
  return {};
}

workspace::Contract make_contract(const ImportOptions &options, const workspace::LabKernel &kernel) {
  workspace::Contract contract;
  contract.kind = workspace::kImportedKind;
  contract.name = options.name;
  contract.symbol = "pyc_gemm_" + options.name;
  contract.dtype = options.dtype;
  contract.arch = options.arch;
  contract.layout = or_default(options.layout, kDefaultLayout);
  contract.shape_family = or_default(options.shape_family, kDefaultFamily);
  contract.requirements.pointer_alignment = static_cast<std::int64_t>(workspace::element_bytes(options.dtype));
  contract.legacy = workspace::LegacyOrigin{kernel.name, kernel.source, kernel.compile_cmd, kernel.run_cmd};
  return contract;
}

}  // namespace

Result<CreateResult> import_legacy(const Context &context, const ImportOptions &options) {
  PYC_CHECK(check_options(context, options));
  PYC_TRY(const workspace::LabKernel kernel, find_kernel(context, options));
  const fs::path source = context.workspace.root / kernel.source;
  workspace::NewCandidate candidate;
  PYC_TRY(candidate.kernel_source, read_file(source));
  PYC_CHECK(add_headers(source.parent_path(), candidate.kernel_source, candidate));
  candidate.contract = make_contract(options, kernel);
  PYC_CHECK(workspace::write_candidate(context.workspace, candidate));
  CreateResult result;
  result.folder = context.workspace.candidate(options.name);
  PYC_TRY(result.candidate, workspace::read_candidate(context.workspace, options.name));
  return result;
}

}  // namespace pyc::hpc
