// One candidate on disk, and the digest that names it exactly.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/records.h"
#include "toolchain/arch.h"
#include "workspace/contract.h"
#include "workspace/workspace.h"

namespace pyc::workspace {

struct Candidate {
  Contract contract;
  evidence::CandidateRef ref;        // with the digest and every file that it covers
  std::string kernel_source_sha256;  // of kernel.cu alone
  // By its path relative to the workspace; null if the digest does not cover it.
  const evidence::FileHash *find_file(const std::string &relative_path) const;
};

// Reads the contract and hashes the sources and the project headers that they include (source_files.h says which).
Result<Candidate> read_candidate(const Workspace &workspace, const std::string &name);

// The one recipe for kernel.cu: the flags, without compiler, input, output and include folders. The runtime's build
// uses the same.
std::vector<std::string> kernel_flags(const toolchain::Arch &arch);

// Writes a fresh folder kernels/prototypes/NAME, whole or not at all. kInvalid if it exists.
struct NewCandidate {
  Contract contract;
  std::string kernel_source, harness_source;
  std::map<std::string, std::string> headers = {};  // further files of the folder, contents by file name
};
Status write_candidate(const Workspace &workspace, const NewCandidate &candidate);

// Puts measured figures into kernel.json; nothing else in the file changes its value, `priority` included.
Status write_runtime_figures(const Workspace &workspace, const std::string &name, const RuntimeFigures &figures);

}  // namespace pyc::workspace
