// A scratch workspace with a lab of its own: kernels that are shell scripts, "compiled" by cp and run by sh.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/scratch.h"

namespace pyc::cli::test {

struct ScriptKernel {
  std::string name, tags = "\"demo\"", script = "echo best_ms=1.5\necho gflops=200\n";
  std::string compile_cmd = "cp {source} {build_dir}/{name}", run_cmd = "sh {build_dir}/{name}";
};

class LabScratch : public Scratch {
 public:
  LabScratch() { write_lab({{"fast"}, {"slow"}}); }

  // The manifest, and each kernel's script at kernels/lab/prototypes/NAME.sh.
  void write_lab(const std::vector<ScriptKernel> &kernels) const;
  void write_manifest(const std::string &text) const { write("kernels/lab/manifests/kernels.json", text); }
  void write_baselines(const std::string &kernel, const std::string &arch = "sm90") const;
  Outcome lab(std::vector<std::string> words) const;  // pyc lab WORDS
  std::string read(const std::string &file) const;    // relative to the workspace
  // Whether the process whose number stands in the file has ended, or ends within a few seconds.
  bool has_ended(const std::string &file) const;
};

}  // namespace pyc::cli::test
