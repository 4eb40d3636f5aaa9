// kernels/.build/: what nvcc made, keyed by content, built in a staged folder and renamed. Safe for several processes.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/arch.h"
#include "toolchain/nvcc.h"
#include "workspace/candidate.h"
#include "workspace/workspace.h"

namespace pyc::workspace {

// The engine, once per toolchain, arch and harness source: an archive that every candidate's executable links.
struct HarnessBuild {
  std::filesystem::path archive;
  std::string key;
  std::string sources_sha256;  // as harness_digest says
};

struct CandidateBuild {
  std::filesystem::path folder, executable, library;  // library: kernel.cu alone as a shared object, for contenders
  std::string compiler_log;                           // whole output, ptxas report included; also kept in the cache
  std::vector<std::string> flags;
  bool from_cache = false;
};

using BuildProgress = std::function<void(const std::string &what)>;

// Over the engine's sources and all that they include, whoever compiles them. kInvalid for a bad
// kernels/harness/sources.txt.
Result<std::string> harness_digest(const Workspace &workspace);

// kNo with the compiler's whole output if a candidate's source does not compile, kInternal if one of the harness does
// not; kUnavailable if nvcc cannot target the arch.
Result<HarnessBuild> build_harness(const Workspace &workspace, const toolchain::Nvcc &nvcc, const toolchain::Arch &arch,
                                   const BuildProgress &progress);
Result<CandidateBuild> build_candidate(const Workspace &workspace, const Candidate &candidate,
                                       const toolchain::Nvcc &nvcc, const HarnessBuild &harness,
                                       const BuildProgress &progress);

}  // namespace pyc::workspace
