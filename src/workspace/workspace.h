// kernels/ on disk: where everything is, and how a workspace is found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace pyc::workspace {

struct Workspace {
  std::filesystem::path root;  // the folder that holds kernels/registry/kernels.json

  std::filesystem::path templates() const { return root / "kernels/templates/gemm"; }
  std::filesystem::path prototypes() const { return root / "kernels/prototypes"; }
  std::filesystem::path results() const { return root / "kernels/results"; }
  std::filesystem::path build() const { return root / "kernels/.build"; }
  std::filesystem::path harness() const { return root / "kernels/harness"; }
  std::filesystem::path registry() const { return root / "kernels/registry/kernels.json"; }
  std::filesystem::path include() const { return root / "include"; }
  std::filesystem::path generated() const { return root / "src/compiler/cutlass_kernels/registry"; }
  std::filesystem::path candidate(const std::string &name) const { return prototypes() / name; }
  std::string relative(const std::filesystem::path &path) const;  // for messages and evidence, with '/'
};

// `requested` (--workspace), else `from_environment` (PYC_WORKSPACE), else the nearest folder upwards from `start`.
// kInvalid if none is found, naming where the search began.
Result<Workspace> find_workspace(const std::filesystem::path &requested, const std::filesystem::path &from_environment,
                                 const std::filesystem::path &start);

// ^[a-z][a-z0-9_]{0,62}$, for candidates, templates and parameters.
bool is_name(std::string_view name);
// A name whose symbols clash with nothing: not one that pyc_gemm_NAME would make a name of the C API (`explain`), nor
// one that ends like the workspace query of another.
bool is_candidate_name(std::string_view name);
Status check_candidate_name(std::string_view name);

// Names of the folders under kernels/prototypes that hold a kernel.json, sorted.
std::vector<std::string> candidate_names(const Workspace &workspace);

// kInvalid with the nearest name if there is no such candidate.
Status require_candidate(const Workspace &workspace, const std::string &name);

}  // namespace pyc::workspace
