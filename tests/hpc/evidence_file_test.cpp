#include "hpc/evidence_file.h"

#include <gtest/gtest.h>

#include "hpc/evidence_index.h"
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
  std::string reserve_and_write(const std::string &name, evidence::Kind kind) {
    const auto file = EvidenceFile::reserve(context_, name, kind);
    EXPECT_TRUE(file);
    EXPECT_TRUE(file->write("{}\n"));
    return file->path().filename().string();
  }

  SampleWorkspace scratch_;
  Context context_;
};

TEST_F(EvidenceFiles, TwoRunsInOneMillisecondGetTwoNames) {
  EXPECT_EQ(reserve_and_write("x", evidence::Kind::kValidation), "x-validation-20260131T123456789Z.json");
  EXPECT_EQ(reserve_and_write("x", evidence::Kind::kValidation), "x-validation-20260131T123456790Z.json");
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
