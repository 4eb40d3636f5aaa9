#include "cli/environment.h"

#include <cstdlib>

namespace pyc::cli {
namespace {

constexpr EnvironmentVariable kVariables[] = {
    {"PYC_WORKSPACE",
     "the workspace, if --workspace is not given; else it is searched from the current folder upwards"},
    {"CUDA_HOME", "the CUDA toolkit whose bin/nvcc is used, if --nvcc is not given"},
    {"CUDA_PATH", "the same, if CUDA_HOME is not set"},
    {"CUDA_VISIBLE_DEVICES", "which GPUs validate and bench may use, as for every CUDA program"},
    {"NVCC_PREPEND_FLAGS", "may choose nvcc's host compiler (-ccbin COMPILER); anything else is refused"},
    {"NVCC_APPEND_FLAGS", "the same; it wins over NVCC_PREPEND_FLAGS"},
    {"NVCC_CCBIN", "nvcc's host compiler, if neither of those names one"},
    {"CUTLASS_PATH", "where doctor looks for CUTLASS's headers"},
    {"PATH", "where nvcc, nvidia-smi and the host compiler are looked for"},
    {"NO_COLOR", "no colour, if it is set and not empty; --color always overrides it"},
    {"TERM", "'dumb': no colour and no progress line"},
};

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

std::span<const EnvironmentVariable> environment_variables() { return kVariables; }

Environment read_environment() {
  Environment environment;
  environment.path = variable("PATH");
  environment.cuda_home = variable("CUDA_HOME");
  if (environment.cuda_home.empty()) environment.cuda_home = variable("CUDA_PATH");
  if (const char *devices = std::getenv("CUDA_VISIBLE_DEVICES")) environment.cuda_visible_devices = devices;
  environment.cutlass_path = variable("CUTLASS_PATH");
  environment.nvcc_prepend_flags = variable("NVCC_PREPEND_FLAGS");
  environment.nvcc_append_flags = variable("NVCC_APPEND_FLAGS");
  environment.nvcc_ccbin = variable("NVCC_CCBIN");
  environment.workspace = variable("PYC_WORKSPACE");
  environment.no_color = !variable("NO_COLOR").empty();
  environment.dumb_terminal = variable("TERM") == "dumb";
  return environment;
}

}  // namespace pyc::cli
