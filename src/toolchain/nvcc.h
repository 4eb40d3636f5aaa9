// The CUDA compiler of this machine: where it is, what it can target, how it is called.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/arch.h"

namespace pyc::toolchain {

// The parts of the environment that decide which toolchain is used; filled by src/cli, so that tests can pass their
// own.
struct Environment {
  std::string path;                                      // PATH
  std::string cuda_home;                                 // CUDA_HOME, else CUDA_PATH
  std::optional<std::string> cuda_visible_devices = {};  // CUDA_VISIBLE_DEVICES; set and empty hides every GPU
  std::string cutlass_path = {};                         // CUTLASS_PATH
  // Words that nvcc adds to every command line by itself, and the host compiler that it takes if none of them names
  // one.
  std::string nvcc_prepend_flags = {}, nvcc_append_flags = {}, nvcc_ccbin = {};
  std::filesystem::path default_cuda = "/usr/local/cuda";  // where CUDA's own installers put it
  std::filesystem::path proc = "/proc";                    // the kernel's and the driver's own words
};

struct Nvcc {
  std::filesystem::path path;       // as found
  std::filesystem::path toolkit;    // folder that holds bin/nvcc, after symbolic links
  std::string version;              // 13.0.88
  std::vector<std::string> arches;  // compute_75 ... as it lists them
  std::string host_compiler;        // first line of the host compiler's --version, or "unknown"
};

// `requested` (--nvcc) wins; else CUDA_HOME/bin/nvcc, PATH, /usr/local/cuda/bin/nvcc.
// kUnavailable with every place that was looked at; kUnavailable if it does not answer --version or is older than 12.4.
Result<Nvcc> find_nvcc(const std::filesystem::path &requested, const Environment &environment);

// The host compiler that nvcc will call: of -ccbin in NVCC_APPEND_FLAGS or NVCC_PREPEND_FLAGS, else NVCC_CCBIN, else
// g++ in PATH. Nothing if it is not there.
std::optional<std::filesystem::path> find_host_compiler(const Environment &environment);

// kInvalid if NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS holds more than the choice of a host compiler: a kernel would be
// built by another recipe than its digest names.
Status check_flag_variables(const Environment &environment);

// kUnavailable if this nvcc cannot target the arch, with both versions in the message.
Status require_arch(const Nvcc &nvcc, const Arch &arch);

// Where a toolkit keeps cuBLASLt, cuBLAS and cudart: those of its folders that exist.
std::vector<std::filesystem::path> library_folders(const Nvcc &nvcc);

}  // namespace pyc::toolchain
