// Builds for a search over parameters: one executable for all sets, and of each set the kernel alone, as a shared
// object. What a whole candidate needs besides, its own harness and executable, costs more than the kernel.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "workspace/build_cache.h"
#include "workspace/candidate.h"
#include "workspace/template.h"

namespace pyc::workspace {

// kernels/harness/loaded_kernel.cpp with the engine: a harness whose kernel comes out of a shared object, named by
// --library and --symbol in front of the usual words.
Result<std::filesystem::path> build_loader(const Workspace &workspace, const toolchain::Nvcc &nvcc,
                                           const toolchain::Arch &arch, const HarnessBuild &harness,
                                           const BuildProgress &progress);

struct TrialBuild {
  std::filesystem::path object, library;  // of kernel.cu, which stands beside them
  std::string compiler_log;
  bool from_cache = false;
};

// `trial` is an instance of the template, compiled as its candidate would be (the flags of kernel_flags). It leads to
// no folder under kernels/prototypes. Errors are those of build_candidate.
Result<TrialBuild> build_trial(const Workspace &workspace, const Template &from, const NewCandidate &trial,
                               const toolchain::Nvcc &nvcc);

// The template as it is on disk: its sources, its rules and the project headers that it includes.
Result<std::string> template_digest(const Workspace &workspace, const Template &from);

}  // namespace pyc::workspace
