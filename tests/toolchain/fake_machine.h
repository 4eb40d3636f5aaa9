// A machine whose programs are shell scripts that say what the real ones were seen to say.
#pragma once

#include <string>

#include "tests/base/temporary_folder.h"
#include "toolchain/nvcc.h"

namespace pyc::test {

// What a script must do to print `text` as it is.
inline std::string print(const std::string &text) { return "cat <<'END_OF_TEXT'\n" + text + "\nEND_OF_TEXT"; }

inline std::string nvcc_banner(const std::string &release, const std::string &version) {
  return "nvcc: NVIDIA (R) Cuda compiler driver\nCopyright (c) 2005-2025 NVIDIA Corporation\n"
         "Built on Wed_Aug_20_01:58:59_PM_PDT_2025\nCuda compilation tools, release " +
         release + ", V" + version + "\nBuild cuda_" + release + ".r" + release + "/compiler.36424714_0";
}

class FakeMachine {
 public:
  FakeMachine() {
    environment.path = (folder / "bin").string() + ":/usr/bin:/bin";
    environment.default_cuda = folder / "usr/local/cuda";
    environment.proc = folder / "proc";  // empty: what the driver of the test's own machine says does not matter
  }

  std::filesystem::path program(const std::string &name, const std::string &script) const {
    return folder.write_program(name, script);
  }

  // An nvcc at `name` that answers --version and --list-gpu-arch.
  std::filesystem::path nvcc(const std::string &name, const std::string &release, const std::string &version,
                             const std::string &arches) const {
    return program(name, "case $1 in\n--version) " + print(nvcc_banner(release, version)) + "\n;;\n--list-gpu-arch) " +
                             print(arches) + "\n;;\n*) exit 1;;\nesac");
  }

  std::filesystem::path nvidia_smi(const std::string &answer, int exit_code = 0) const {
    return program("bin/nvidia-smi", print(answer) + "\nexit " + std::to_string(exit_code));
  }

  TemporaryFolder folder;
  toolchain::Environment environment;
};

inline bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

}  // namespace pyc::test
