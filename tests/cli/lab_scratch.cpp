#include "tests/cli/lab_scratch.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace pyc::cli::test {
namespace {

std::string entry(const ScriptKernel &kernel) {
  return "{\"name\": \"" + kernel.name + "\", \"source\": \"kernels/lab/prototypes/" + kernel.name +
         ".sh\", \"description\": \"made for a test\", \"tags\": [" + kernel.tags + "],\n \"compile_cmd\": \"" +
         kernel.compile_cmd + "\", \"run_cmd\": \"" + kernel.run_cmd + "\"}";
}

}  // namespace

void LabScratch::write_lab(const std::vector<ScriptKernel> &kernels) const {
  std::string list;
  for (const ScriptKernel &kernel : kernels) {
    list += (list.empty() ? "" : ",\n") + entry(kernel);
    write("kernels/lab/prototypes/" + kernel.name + ".sh", kernel.script);
  }
  write_manifest("{\"kernels\": [\n" + list + "\n]}\n");
}

void LabScratch::write_baselines(const std::string &kernel, const std::string &arch) const {
  write("kernels/lab/manifests/task_baselines.json",
        R"({"version": 1, "baselines": [{"task_kind": "gemm", "backend": "cuda", "arch": ")" + arch +
            R"(", "kernel": ")" + kernel + R"(", "source": "a test", "updated_utc": null, "notes": ""}]})");
}

Outcome LabScratch::lab(std::vector<std::string> words) const {
  words.insert(words.begin(), "lab");
  return run(words);
}

std::string LabScratch::read(const std::string &file) const { return pyc::test::slurp(root() / file); }

bool LabScratch::has_ended(const std::string &file) const {
  const int process = std::atoi(read(file).c_str());
  EXPECT_GT(process, 0) << file;
  for (int i = 0; i < 50 && kill(process, 0) == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return kill(process, 0) != 0;
}

}  // namespace pyc::cli::test
