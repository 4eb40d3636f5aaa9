#include <gtest/gtest.h>

#include "evidence/documents.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

class BenchVerb : public testing::Test {
 protected:
  void SetUp() override { scratch_.create("x"); }

  Outcome bench(const std::string &name, const std::vector<std::string> &more = {}) {
    std::vector<std::string> words = {"hpc", "bench", "--name", name, "--shape", "1024x1024x1024", "--repeats", "20"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.run(words);
  }
  evidence::Benchmark read(const Outcome &run) const {
    return value_of(evidence::read_benchmark(scratch_ / run.line()));
  }

  Scratch scratch_;
};

TEST_F(BenchVerb, PrintsThePathOnStdoutAndTheTableOnStderr) {
  const Outcome run = bench("x");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line().rfind("kernels/results/x-benchmark-", 0), 0u);
  // 2 * 1024^3 / 20 us = 107 TFLOP/s; cuBLASLt takes 25 us.
  EXPECT_TRUE(contains(run.errors, "1024x1024x1024")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "20.00")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "107.3")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "1.250")) << run.errors;
  const evidence::Benchmark document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kCompleted);
  EXPECT_EQ(document.repeats, 20);
  ASSERT_EQ(document.shapes.size(), 1u);
  EXPECT_EQ(document.shapes[0].find("candidate")->cold_ns.size(), 20u);
}

TEST_F(BenchVerb, QuietKeepsThePathAndDropsTheTable) {
  const Outcome run = bench("x", {"--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.line().rfind("kernels/results/x-benchmark-", 0), 0u);
  EXPECT_FALSE(contains(run.errors, "TFLOP/s")) << run.errors;
}

TEST_F(BenchVerb, ADryRunListsTheTimedShapesOnly) {
  scratch_.set("PATH", "/nonexistent");
  const Outcome run = bench("x", {"--dry-run"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const evidence::Benchmark document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kPlanned);
  EXPECT_EQ(document.shapes.size(), 1u);
}

TEST_F(BenchVerb, MoreRepeatsThanEvidenceHoldsAreRefusedBeforehand) {
  const std::vector<std::string> words = {"hpc", "bench", "--name", "x", "--dry-run", "--repeats"};
  const auto asked = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return scratch_.run(more);
  };
  const Outcome run = asked({"100000"});
  EXPECT_EQ(run.exit_code, 2) << run.errors;
  EXPECT_TRUE(contains(run.errors, "--repeats '100000' may be more samples than one file of evidence holds"))
      << run.errors;
  EXPECT_TRUE(contains(run.errors, "4 shapes with 4 arms: there is room for")) << run.errors;
  EXPECT_TRUE(contains(asked({"50", "--max-repeats", "100000"}).errors, "--max-repeats '100000' may be more"));
  EXPECT_EQ(asked({"100000", "--shape", "1024x1024x1024"}).exit_code, 0);
  EXPECT_EQ(read(asked({"50000"})).max_repeats, 65536);
}

TEST_F(BenchVerb, ACrashKeepsTheShapesThatWereTimed) {
  scratch_.set("PYC_FAKE_SCENARIO", "crash");
  const Outcome run = bench("x", {"--shape", "512x4096x4096"});
  EXPECT_EQ(run.exit_code, 1);
  const evidence::Benchmark document = read(run);
  EXPECT_EQ(document.header.status, evidence::DocumentStatus::kError);
  EXPECT_EQ(document.shapes[0].status, "completed");
  EXPECT_EQ(document.shapes[1].status, "unfinished");
}

TEST_F(BenchVerb, ShortKernelsWithFewRepeatsAreAWarning) {
  scratch_.set("PYC_FAKE_CANDIDATE_NS", "5000");
  const Outcome run = bench("x");
  EXPECT_TRUE(contains(run.errors, "few_repeats")) << run.errors;
}

TEST_F(BenchVerb, AKernelThatReachesBeyondItsCallIsNotRun) {
  scratch_.set("PYC_FAKE_SYMBOL", "cudaStreamCreate U");
  const Outcome run = bench("x");
  EXPECT_EQ(run.exit_code, 1) << run.errors;
  EXPECT_TRUE(contains(run.errors, "symbols: 'kernels/prototypes/x/kernel.cu' calls cudaStreamCreate")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "hint: ")) << run.errors;
}

TEST_F(BenchVerb, NullPrintsTheNoiseFloor) {
  const Outcome run = bench("x", {"--null"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "noise floor %")) << run.errors;
  EXPECT_FALSE(contains(run.errors, "TFLOP/s")) << run.errors;
}

TEST_F(BenchVerb, AgainstNeedsACandidateOfTheSameKind) {
  scratch_.create("ada", "sm89");
  EXPECT_EQ(bench("x", {"--against", "x"}).exit_code, 2);
  EXPECT_EQ(bench("x", {"--against", "nobody"}).exit_code, 2);
  const Outcome other = bench("x", {"--against", "ada"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.errors, "sm89")) << other.errors;
}

}  // namespace
}  // namespace pyc::cli::test
