// The environment variables that `pyc` reads, one table; nothing outside this file reads them.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace pyc::cli {

struct EnvironmentVariable {
  const char *name, *meaning;
};
std::span<const EnvironmentVariable> environment_variables();

struct Environment {
  std::string path;       // PATH
  std::string cuda_home;  // CUDA_HOME, else CUDA_PATH
  std::optional<std::string> cuda_visible_devices;
  std::string cutlass_path;                                       // CUTLASS_PATH
  std::string nvcc_prepend_flags, nvcc_append_flags, nvcc_ccbin;  // NVCC_PREPEND_FLAGS, ...
  std::string workspace;                                          // PYC_WORKSPACE
  bool no_color = false;                                          // NO_COLOR is set and not empty
  bool dumb_terminal = false;
};
Environment read_environment();

}  // namespace pyc::cli
