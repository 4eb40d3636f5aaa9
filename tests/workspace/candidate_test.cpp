#include "workspace/candidate.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"
#include "toolchain/arch.h"

namespace pyc::workspace {
namespace {

using pyc::test::slurp;
using test::replaced;
using test::sample_candidate;
using test::sample_contract;
using test::SampleWorkspace;

std::string digest(const SampleWorkspace &sample, const std::string &name = "tiled") {
  const auto candidate = read_candidate(sample.workspace(), name);
  EXPECT_TRUE(candidate) << candidate.error().message;
  return candidate ? candidate->ref.digest : "";
}

TEST(WriteCandidate, IsReadBack) {
  const SampleWorkspace sample;
  const Candidate candidate = sample.add_candidate("tiled");
  EXPECT_EQ(candidate.ref.name, "tiled");
  EXPECT_EQ(candidate.ref.selector, "gemm/fp32/nn/square");
  EXPECT_EQ(candidate.ref.arch, "sm90");
  EXPECT_EQ(candidate.ref.digest.size(), 64u);
  std::vector<std::string> paths;
  for (const auto &file : candidate.ref.files) paths.push_back(file.path);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"include/pyc/kernel.h", "kernels/harness/harness.h",
                                      "kernels/prototypes/tiled/harness.cu", "kernels/prototypes/tiled/kernel.cu"}));
  EXPECT_EQ(candidate.find_file("kernels/prototypes/tiled/kernel.cu")->sha256, candidate.kernel_source_sha256);
  EXPECT_EQ(candidate.find_file("kernels/prototypes/tiled/kernel.json"), nullptr);
}

TEST(WriteCandidate, RefusesANameThatExistsAndChangesNothing) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const std::string before = slurp(sample / "kernels/prototypes/tiled/kernel.cu");
  NewCandidate again = sample_candidate("tiled");
  again.kernel_source = "other";
  const Status written = write_candidate(sample.workspace(), again);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(written.error().message.find("kernels/prototypes/tiled"), std::string::npos);
  EXPECT_EQ(slurp(sample / "kernels/prototypes/tiled/kernel.cu"), before);
}

TEST(WriteCandidate, RefusesAnEmptyFolderOfThatNameToo) {
  const SampleWorkspace sample;
  std::filesystem::create_directories(sample / "kernels/prototypes/tiled");
  EXPECT_FALSE(write_candidate(sample.workspace(), sample_candidate("tiled")));
  EXPECT_TRUE(std::filesystem::is_empty(sample / "kernels/prototypes/tiled"));
}

TEST(WriteCandidate, LeavesNothingBehindWhatItRefuses) {
  const SampleWorkspace sample;
  std::filesystem::create_directories(sample / "kernels/prototypes");
  NewCandidate bad = sample_candidate("tiled");
  bad.contract.requirements.m_multiple = 0;
  EXPECT_FALSE(write_candidate(sample.workspace(), bad));
  bad = sample_candidate("../escape");
  EXPECT_FALSE(write_candidate(sample.workspace(), bad));
  bad = sample_candidate("tiled");
  bad.headers["../x.h"] = "";
  EXPECT_FALSE(write_candidate(sample.workspace(), bad));
  EXPECT_TRUE(std::filesystem::is_empty(sample / "kernels/prototypes"));
}

TEST(WriteCandidate, KeepsHeadersBesideTheSources) {
  const SampleWorkspace sample;
  NewCandidate candidate = sample_candidate("tiled");
  candidate.kernel_source = "#include \"tile.cuh\"\n";
  candidate.headers["tile.cuh"] = "// tile\n";
  ASSERT_TRUE(write_candidate(sample.workspace(), candidate));
  EXPECT_NE(read_candidate(sample.workspace(), "tiled")->find_file("kernels/prototypes/tiled/tile.cuh"), nullptr);
}

TEST(Digest, ChangesWithEveryFileThatIsCovered) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  std::vector<std::string> seen = {digest(sample)};
  for (const char *file : {"kernels/prototypes/tiled/kernel.cu", "kernels/prototypes/tiled/harness.cu",
                           "include/pyc/kernel.h", "kernels/harness/harness.h"}) {
    sample.write(file, slurp(sample / file) + "// changed\n");
    seen.push_back(digest(sample));
  }
  const std::string contract = "kernels/prototypes/tiled/kernel.json";
  sample.write(contract, replaced(slurp(sample / contract), "\"k_multiple\": 1", "\"k_multiple\": 2"));
  seen.push_back(digest(sample));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Digest, DoesNotChangeWithWhatItDoesNotCover) {
  const SampleWorkspace sample, elsewhere;
  sample.add_candidate("tiled");
  const std::string before = digest(sample);
  sample.write("kernels/harness/run.cpp", "// engine\n");
  sample.write("kernels/prototypes/tiled/notes.md", "faster\n");
  sample.write("kernels/prototypes/tiled/kernel.json", "\n\n" + slurp(sample / "kernels/prototypes/tiled/kernel.json"));
  EXPECT_EQ(digest(sample), before);
  elsewhere.add_candidate("tiled");
  EXPECT_EQ(digest(elsewhere), before) << "the digest names content, not the workspace's place";
}

TEST(Digest, IsTheSameForeverForTheSameContent) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  // A change here makes every record and every piece of evidence stale: raise the schemas, and mean it.
  EXPECT_EQ(digest(sample), "abe8cf7f4a5b2f9c99b43170cd5e726596bc6b1b25b97717e85b0cf4c2472d1a");
}

TEST(RuntimeFigures, ArePutIntoTheContractAndNothingElseChanges) {
  const SampleWorkspace sample;
  NewCandidate candidate = sample_candidate("tiled");
  candidate.contract.runtime.priority = 7;
  ASSERT_TRUE(write_candidate(sample.workspace(), candidate));
  const std::string before = digest(sample);

  RuntimeFigures figures;
  figures.occupancy_estimate = 0.375;
  figures.registers_per_thread = 96;
  figures.register_pressure = "medium";
  figures.shared_memory_bytes = 33792;
  ASSERT_TRUE(write_runtime_figures(sample.workspace(), "tiled", figures));
  const auto read = read_candidate(sample.workspace(), "tiled");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->contract.runtime.occupancy_estimate, 0.375);
  EXPECT_EQ(read->contract.runtime.registers_per_thread, 96);
  EXPECT_EQ(read->contract.runtime.priority, 7);
  EXPECT_EQ(read->ref.digest, before);
}

TEST(RuntimeFigures, ThatNobodyCouldReadAgainAreRefused) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const std::string before = slurp(sample / "kernels/prototypes/tiled/kernel.json");
  RuntimeFigures figures;
  figures.occupancy_estimate = 2;
  EXPECT_FALSE(write_runtime_figures(sample.workspace(), "tiled", figures));
  EXPECT_EQ(slurp(sample / "kernels/prototypes/tiled/kernel.json"), before);
}

TEST(KernelFlags, AreTheRecipeOfTheArch) {
  EXPECT_EQ(kernel_flags(*toolchain::find_arch("sm90")),
            (std::vector<std::string>{"-O3", "-std=c++17", "-gencode=arch=compute_90a,code=sm_90a", "-lineinfo"}));
}

}  // namespace
}  // namespace pyc::workspace
