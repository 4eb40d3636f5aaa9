// The command lines that the project's first description promised, as they stand there, with what they exit with. `uv
// run pyc` is the binary here; tests/python/wheel_test.py runs it from a wheel. Those of the lab are in lab_test.cpp.
#include <filesystem>
#include <gtest/gtest.h>

#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

// A machine of that arch, on which kernels take times that its GPU could show.
class PromisedCommands : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.set("PYC_FAKE_CANDIDATE_NS", "9000000");
    scratch_.set("PYC_FAKE_INCUMBENT_NS", "9500000");
    const std::string checkout = PYC_SOURCE_FOLDER;
    scratch_.set("PATH", (scratch_ / "own").string() + ":" + checkout + "/tests/cli/fake_toolkit/bin:/usr/bin:/bin");
    scratch_.write("own/ncu", "#!/bin/sh\necho \"ncu was asked: $*\"\n");
    std::filesystem::permissions(scratch_ / "own/ncu", std::filesystem::perms::owner_all);
  }
  // Runs the lines with a shell that stops at the first that fails.
  Outcome run(const std::string &lines) const {
    return scratch_.shell("uv() { [ \"$1\" = run ] && shift && \"$@\"; }\nset -e\n" + lines);
  }
  void expect(int exit_code, const std::string &lines) const {
    const Outcome done = run(lines);
    EXPECT_EQ(done.exit_code, exit_code) << lines << "\n" << done.output << done.errors;
  }

  Scratch scratch_;
};

TEST_F(PromisedCommands, TheQuickStart) {
  scratch_.set("PYC_FAKE_CAPABILITY", "8.9");
  expect(0, R"(
uv run pyc hpc doctor

uv run pyc hpc create gemm \
  --name tiled_fp32_v1 \
  --arch sm89 \
  --shape-family square \
  --tile-m 16 --tile-n 16 --tile-k 16

validation_result=$(uv run pyc hpc validate --name tiled_fp32_v1)
benchmark_result=$(uv run pyc hpc bench --name tiled_fp32_v1)

uv run pyc hpc promote \
  --name tiled_fp32_v1 \
  --validation-result "$validation_result" \
  --benchmark-result "$benchmark_result" \
  --bootstrap
)");
  EXPECT_TRUE(contains(pyc::test::slurp(scratch_ / "kernels/registry/kernels.json"), "\"tiled_fp32_v1\""));
}

// The path of README.md as it stands there, but for its last step, which builds the runtime.
TEST_F(PromisedCommands, TheReadmesPath) {
  const std::string readme = pyc::test::slurp(PYC_SOURCE_FOLDER "/README.md");
  const size_t begin = readme.find("# 1. What does this machine have"), end = readme.find("# 5. Rebuild");
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  expect(0, readme.substr(begin, end - begin));
  EXPECT_TRUE(contains(pyc::test::slurp(scratch_ / "kernels/registry/kernels.json"), "\"gemm/fp32/tn/square\""));
}

TEST_F(PromisedCommands, ALaterCandidateLeavesOutBootstrap) {
  scratch_.create("first");
  expect(0, R"(v=$(pyc hpc validate --name first) b=$(pyc hpc bench --name first)
pyc hpc promote --name first --validation-result "$v" --benchmark-result "$b" --bootstrap)");
  scratch_.create("candidate_name");
  expect(0, R"(
pyc hpc validate --name candidate_name
pyc hpc bench --name candidate_name
cd kernels/results; set -- candidate_name-validation-*.json candidate_name-benchmark-*.json; cd ../..
pyc hpc promote \
  --name candidate_name \
  --validation-result kernels/results/"$1" \
  --benchmark-result kernels/results/"$2"
)");
}

TEST_F(PromisedCommands, CreateWritesItsThreeFiles) {
  expect(0, "pyc hpc create gemm --name candidate_name");
  for (const char *file : {"kernel.cu", "harness.cu", "kernel.json"})
    EXPECT_TRUE(std::filesystem::exists(scratch_ / "kernels/prototypes/candidate_name" / file)) << file;
}

TEST_F(PromisedCommands, ValidateTakesACompilersPath) {
  scratch_.create("candidate_name");
  expect(3, "pyc hpc validate --name candidate_name --nvcc /path/to/nvcc");
  expect(0, "pyc hpc validate --name candidate_name --nvcc " PYC_SOURCE_FOLDER "/tests/cli/fake_toolkit/bin/nvcc");
}

TEST_F(PromisedCommands, BenchAndProfile) {
  scratch_.create("candidate_name");
  expect(0, "pyc hpc bench --name candidate_name --warmup 10 --repeats 50");
  const Outcome profile = run(R"(pyc hpc profile --name candidate_name \
  --command "ncu --set full {binary}")");
  EXPECT_EQ(profile.exit_code, 0) << profile.errors;
  EXPECT_TRUE(contains(profile.errors, "ncu was asked: --set full /")) << profile.errors;
  EXPECT_TRUE(contains(profile.line(), "kernels/results/candidate_name-profile-")) << profile.output;
}

TEST_F(PromisedCommands, ListShowAndCompare) {
  scratch_.create("candidate_name");
  expect(0, "pyc hpc list");
  expect(0, "pyc hpc show --name candidate_name");
  expect(2, "pyc hpc compare left-benchmark.json right-benchmark.json");
  expect(0, R"sh(
cp "$(pyc hpc bench --name candidate_name)" left-benchmark.json
cp "$(pyc hpc bench --name candidate_name)" right-benchmark.json
pyc hpc compare left-benchmark.json right-benchmark.json
)sh");
}

TEST_F(PromisedCommands, DryRunsNeedNoCudaAndCannotBePromoted) {
  scratch_.create("candidate_name");
  scratch_.set("CUDA_HOME", "");
  scratch_.set("PATH", "/usr/bin:/bin");
  expect(0, R"(
pyc hpc validate --name candidate_name --dry-run
pyc hpc bench --name candidate_name --dry-run
)");
  expect(2, R"(
set -- kernels/results/candidate_name-validation-*.json kernels/results/candidate_name-benchmark-*.json
pyc hpc promote --name candidate_name --validation-result "$1" --benchmark-result "$2" --bootstrap
)");
}

}  // namespace
}  // namespace pyc::cli::test
