#include "tests/cli/scratch.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/process.h"

namespace pyc::cli::test {

namespace fs = std::filesystem;

std::string Outcome::line() const {
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 1) << "stdout: " << output << "\nstderr: " << errors;
  return output.substr(0, output.find('\n'));
}

Scratch::Scratch() {
  const fs::path checkout = PYC_SOURCE_FOLDER, toolkit = checkout / "tests/cli/fake_toolkit";
  for (const char *part : {"include/pyc", "kernels/templates", "kernels/harness"}) {
    fs::create_directories((root() / part).parent_path());
    fs::copy(checkout / part, root() / part, fs::copy_options::recursive);
  }
  write("kernels/registry/kernels.json", "{\n  \"schema\": \"pyc.registry/1\",\n  \"records\": []\n}\n");
  fs::create_directories(root() / "src/compiler/cutlass_kernels/registry");
  environment_ = {{"PATH", (toolkit / "bin").string() + ":/usr/bin:/bin"},
                  {"CUDA_HOME", toolkit.string()},
                  {"CUDA_PATH", ""},
                  {"PYC_WORKSPACE", ""},
                  {"NO_COLOR", ""},
                  {"NVCC_PREPEND_FLAGS", ""},
                  {"NVCC_APPEND_FLAGS", ""},
                  {"NVCC_CCBIN", ""},
                  {"PYC_FAKE_NVCC_LOG", (folder_ / "nvcc.log").string()}};
}

Outcome Scratch::run(const std::vector<std::string> &arguments, const std::string &below) const {
  ProcessOptions options;
  options.argv = {PYC_BINARY};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.working_directory = below.empty() ? root() : root() / below;
  options.environment = environment_;
  options.time_limit = std::chrono::seconds(60);
  const auto result = run_process(options);
  if (!result) return {-1, {}, result.error().message};
  EXPECT_EQ(result->end, ProcessEnd::kExited) << result->describe();
  return {result->exit_code, result->standard_output, result->standard_error};
}

Outcome Scratch::shell(const std::string &script) const {
  ProcessOptions options;
  options.argv = {"/bin/sh", "-c", "pyc() { \"$PYC\" \"$@\"; }\n" + script};
  options.working_directory = root();
  options.environment = environment_;
  options.environment["PYC"] = PYC_BINARY;
  options.time_limit = std::chrono::seconds(60);
  const auto result = run_process(options);
  if (!result) return {-1, {}, result.error().message};
  return {result->exit_code, result->standard_output, result->standard_error};
}

void Scratch::create(const std::string &name, const std::string &arch) const {
  const Outcome created = run({"hpc", "create", "gemm", "--name", name, "--arch", arch});
  ASSERT_EQ(created.exit_code, 0) << created.errors;
}

int Scratch::entries(const std::string &folder) const {
  std::error_code absent;
  const fs::directory_iterator all(root() / folder, absent);
  return absent ? 0 : static_cast<int>(std::distance(fs::begin(all), fs::end(all)));
}

int Scratch::compilations() const {
  const std::string log = pyc::test::slurp(folder_ / "nvcc.log");
  return static_cast<int>(std::count(log.begin(), log.end(), '\n'));
}

}  // namespace pyc::cli::test
