#include "hpc/evidence_file.h"

#include <array>
#include <gtest/gtest.h>
#include <thread>

#include "hpc/evidence_index.h"
#include "tests/base/temporary_folder.h"
#include "tests/workspace/sample_workspace.h"

namespace pyc::hpc {
namespace {

using workspace::test::SampleWorkspace;

class EvidenceFiles : public testing::Test {
 protected:
  EvidenceFiles() {
    context_.workspace = scratch_.workspace();
    context_.now = [] { return TimePoint(std::chrono::milliseconds(1769862896789)); };
  }
  std::string created(const std::string &name, evidence::Kind kind) {
    const auto file = EvidenceFile::create(context_, name, kind, "{}\n");
    EXPECT_TRUE(file);
    return file->path().filename().string();
  }

  SampleWorkspace scratch_;
  Context context_;
};

TEST_F(EvidenceFiles, TwoRunsInOneMillisecondGetTwoNames) {
  EXPECT_EQ(created("x", evidence::Kind::kValidation), "x-validation-20260131T123456789Z.json");
  EXPECT_EQ(created("x", evidence::Kind::kValidation), "x-validation-20260131T123456790Z.json");
}

TEST_F(EvidenceFiles, RunsThatStartAtOnceKeepAllOfTheirEvidence) {
  constexpr std::size_t kRuns = 16;
  std::array<std::filesystem::path, kRuns> paths;
  std::vector<std::thread> runs;
  for (std::size_t i = 0; i < kRuns; ++i) {
    runs.emplace_back([&, i] {
      const auto file = EvidenceFile::create(context_, "x", evidence::Kind::kBenchmark, std::to_string(i));
      if (file) paths[i] = file->path();
    });
  }
  for (std::thread &run : runs) run.join();
  for (std::size_t i = 0; i < kRuns; ++i) EXPECT_EQ(pyc::test::slurp(paths[i]), std::to_string(i));
}

TEST_F(EvidenceFiles, AreListedNewestFirstAndOnlyIfTheirNameIsOfTheKind) {
  scratch_.write("kernels/results/a-validation-20260101T000000000Z.json", "");
  scratch_.write("kernels/results/b-benchmark-20260301T000000000Z.json", "");
  scratch_.write("kernels/results/a-validation-20260201T000000000Z.json", "");
  scratch_.write("kernels/results/notes.json", "");
  scratch_.write("kernels/results/A-validation-20260201T000000000Z.json", "");
  scratch_.write("kernels/results/a-validation-20260201T000000000Z.json.tmp", "");
  const auto files = evidence_files(scratch_.workspace());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].candidate, "b");
  EXPECT_EQ(files[0].kind, evidence::Kind::kBenchmark);
  EXPECT_EQ(files[1].stamp, "20260201T000000000Z");
}

TEST_F(EvidenceFiles, ALongLogKeepsItsHeadAndItsTail) {
  evidence::Header header;
  add_harness_log(header, "HEAD" + std::string(1 << 20, '.') + "TAIL", false);
  EXPECT_TRUE(header.logs.truncated);
  EXPECT_LT(header.logs.harness.size(), std::size_t{300} << 10);
  EXPECT_EQ(header.logs.harness.rfind("HEAD", 0), 0u);
  EXPECT_EQ(header.logs.harness.substr(header.logs.harness.size() - 4), "TAIL");
}

TEST_F(EvidenceFiles, TheLargestSpillOfAllKernelsIsWarnedOf) {
  evidence::Header header;
  add_compiler_log(header,
                   "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                   "64 bytes stack frame, 132 bytes spill stores, 88 bytes spill loads\n"
                   "8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n");
  ASSERT_EQ(header.warnings.size(), 1u);
  EXPECT_EQ(header.warnings[0].code, "register_spill");
  EXPECT_NE(header.warnings[0].message.find("132 bytes"), std::string::npos);
}

TEST_F(EvidenceFiles, NoSpillIsNoWarning) {
  evidence::Header header;
  add_compiler_log(header, "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nUsed 40 registers\n");
  EXPECT_TRUE(header.warnings.empty());
}

}  // namespace
}  // namespace pyc::hpc
