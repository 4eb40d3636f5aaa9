#include "workspace/candidate.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "workspace/source_files.h"

namespace pyc::workspace {

namespace fs = std::filesystem;

namespace {

constexpr const char *kDigestSchema = "pyc.digest/1";

std::string folder_of(const std::string &name) { return fmt::format("kernels/prototypes/{}/", name); }

// The candidate's own files are named by their place in its folder, so that the digest names content.
std::string digest_of(const Contract &contract, const std::vector<SourceFile> &files,
                      const std::vector<std::string> &flags) {
  const std::string folder = folder_of(contract.name);
  std::vector<std::string> lines;
  for (const SourceFile &file : files) {
    const bool is_own = file.path.starts_with(folder);
    lines.push_back(is_own ? fmt::format("candidate {} {}", file.path.substr(folder.size()), file.sha256)
                           : fmt::format("workspace {} {}", file.path, file.sha256));
  }
  std::sort(lines.begin(), lines.end());
  return sha256_hex(fmt::format("{}\ncontract {}\n{}\nflags {}\n", kDigestSchema, digest_text(contract),
                                join(lines, "\n"), join(flags, " ")));
}

tl::unexpected<Error> already_there(const Workspace &workspace, const std::string &name) {
  return fail(ErrorKind::kInvalid, fmt::format("'{}' exists already", workspace.relative(workspace.candidate(name))),
              "choose another name; nothing was changed");
}

bool is_file_name(const std::string &name) {
  return !name.empty() && name.front() != '.' && name.find_first_of("/\\") == name.npos;
}

Status write_into(const fs::path &folder, const NewCandidate &candidate) {
  for (const auto &[name, contents] : candidate.headers) {
    if (!is_file_name(name)) return fail(ErrorKind::kInternal, fmt::format("'{}' is not a file name", printable(name)));
    PYC_CHECK(write_file_atomic(folder / name, contents));
  }
  PYC_CHECK(write_file_atomic(folder / "kernel.cu", candidate.kernel_source));
  // An imported one has a program of its own in kernel.cu.
  if (!candidate.contract.is_imported()) PYC_CHECK(write_file_atomic(folder / "harness.cu", candidate.harness_source));
  return write_file_atomic(folder / "kernel.json", to_json(candidate.contract));
}

std::vector<std::string> roots_of(const Workspace &workspace, const Contract &contract) {
  const std::string kernel = folder_of(contract.name) + "kernel.cu", harness = folder_of(contract.name) + "harness.cu";
  std::error_code error;
  if (contract.is_imported() && !fs::exists(workspace.root / harness, error)) return {kernel};
  return {kernel, harness};
}

std::string contract_file(const std::string &name) { return folder_of(name) + "kernel.json"; }

}  // namespace

const evidence::FileHash *Candidate::find_file(const std::string &relative_path) const {
  for (const evidence::FileHash &file : ref.files) {
    if (file.path == relative_path) return &file;
  }
  return nullptr;
}

std::vector<std::string> kernel_flags(const toolchain::Arch &arch) {
  return {"-O3", "-std=c++17", fmt::format("-gencode={}", arch.code_flag), "-lineinfo"};
}

Result<Candidate> read_candidate(const Workspace &workspace, const std::string &name) {
  PYC_CHECK(require_candidate(workspace, name));
  Candidate candidate;
  PYC_TRY(candidate.contract, read_contract(workspace.candidate(name), contract_file(name)));
  const toolchain::Arch *arch = toolchain::find_arch(candidate.contract.arch);
  if (arch == nullptr) return fail(ErrorKind::kInternal, "no such arch: " + candidate.contract.arch);

  const std::string kernel = folder_of(name) + "kernel.cu";
  PYC_TRY(const std::vector<SourceFile> files, source_files(workspace, roots_of(workspace, candidate.contract)));
  for (const SourceFile &file : files) candidate.ref.files.push_back({file.path, file.sha256});
  candidate.ref.name = name;
  candidate.ref.selector = candidate.contract.selector();
  candidate.ref.arch = candidate.contract.arch;
  candidate.ref.digest = digest_of(candidate.contract, files, kernel_flags(*arch));
  candidate.kernel_source_sha256 = candidate.find_file(kernel)->sha256;
  return candidate;
}

Status write_candidate(const Workspace &workspace, const NewCandidate &candidate) {
  const std::string &name = candidate.contract.name;
  PYC_CHECK(check_candidate_name(name));
  // What is written must be what every reader accepts.
  PYC_CHECK(parse_contract(to_json(candidate.contract), contract_file(name)));
  std::error_code error;
  if (fs::exists(fs::symlink_status(workspace.candidate(name), error))) return already_there(workspace, name);

  PYC_TRY(StagedFolder staged, StagedFolder::create(workspace.candidate(name)));
  PYC_CHECK(write_into(staged.path(), candidate));
  PYC_TRY(const bool renamed, staged.commit());
  if (!renamed) return already_there(workspace, name);
  return {};
}

Status write_runtime_figures(const Workspace &workspace, const std::string &name, const RuntimeFigures &figures) {
  PYC_CHECK(require_candidate(workspace, name));
  PYC_TRY(Contract contract, read_contract(workspace.candidate(name), contract_file(name)));
  const int priority = contract.runtime.priority;
  contract.runtime = figures;
  contract.runtime.priority = priority;
  const std::string text = to_json(contract);
  PYC_CHECK(parse_contract(text, contract_file(name)));
  return write_file_atomic(workspace.candidate(name) / "kernel.json", text);
}

}  // namespace pyc::workspace
