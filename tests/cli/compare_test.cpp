#include <gtest/gtest.h>

#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

class CompareVerb : public testing::Test {
 protected:
  void SetUp() override { scratch_.create("x"); }
  // Benches `x` as if every call took `time_ns`; the path of the evidence.
  std::string bench(const std::string &time_ns) {
    scratch_.set("PYC_FAKE_CANDIDATE_NS", time_ns);
    return scratch_.run({"hpc", "bench", "--name", "x", "--shape", "64x64x64"}).line();
  }

  Scratch scratch_;
};

TEST_F(CompareVerb, AFasterRunIsExitZeroAndASlowerOneExitOne) {
  const std::string slow = bench("30000"), fast = bench("20000");
  const Outcome faster = scratch_.run({"hpc", "compare", slow, fast});
  EXPECT_EQ(faster.exit_code, 0) << faster.errors;
  EXPECT_TRUE(contains(faster.output, "verdict: faster")) << faster.output;
  EXPECT_TRUE(contains(faster.output, "64x64x64")) << faster.output;
  const Outcome slower = scratch_.run({"hpc", "compare", "--left", fast, "--right", slow});
  EXPECT_EQ(slower.exit_code, 1);
  EXPECT_TRUE(contains(slower.output, "verdict: slower")) << slower.output;
  EXPECT_TRUE(contains(slower.errors, "hint: ")) << slower.errors;
}

TEST_F(CompareVerb, ARunIsNotSlowerThanItself) {
  const std::string path = bench("20000");
  const Outcome run = scratch_.run({"hpc", "compare", path, path});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "verdict: same")) << run.output;
  EXPECT_TRUE(contains(run.output, "the runs share GPU")) << run.output;
}

TEST_F(CompareVerb, NeedsNoWorkspace) {
  const std::string path = (scratch_ / bench("20000")).string();
  EXPECT_EQ(scratch_.shell("cd / && pyc hpc compare '" + path + "' '" + path + "'").exit_code, 0);
}

TEST_F(CompareVerb, AMistypedPathGetsTheNearestFile) {
  const std::string path = bench("20000");
  std::string typed = path;
  typed.replace(typed.find("benchmark"), 9, "benchmrk");
  const Outcome run = scratch_.run({"hpc", "compare", path, typed});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "did you mean '" + path + "'?")) << run.errors;
  EXPECT_TRUE(contains(scratch_.run({"hpc", "compare", path, "/nowhere/x"}).errors, "that 'pyc hpc bench' printed"));
}

TEST_F(CompareVerb, TwoProfilesAreShownAndNotJudged) {
  const std::vector<std::string> profile = {"hpc",     "profile",  "--name",    "x",
                                            "--shape", "64x64x64", "--command", "true {binary}"};
  const std::string left = scratch_.run(profile).line(), right = scratch_.run(profile).line();
  const Outcome run = scratch_.run({"hpc", "compare", left, right});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "verdict: not judged")) << run.output;
  EXPECT_TRUE(contains(run.output, "made with --command")) << run.output;
  const Outcome json = scratch_.run({"hpc", "compare", left, right, "--json"});
  EXPECT_TRUE(contains(json.output, "\"kind\": \"profile\"")) << json.output;
  const Outcome mixed = scratch_.run({"hpc", "compare", left, bench("20000")});
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_TRUE(contains(mixed.errors, "two of one kind")) << mixed.errors;
}

TEST_F(CompareVerb, TwoRunsOfOneCandidateAreNotSentAgainstThemselves) {
  const std::string fast = bench("20000"), slow = bench("30000");
  const Outcome run = scratch_.run({"hpc", "compare", fast, slow});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_FALSE(contains(run.errors, "--against")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "bench it again")) << run.errors;
}

TEST_F(CompareVerb, JsonIsOneDocument) {
  const std::string path = bench("20000");
  const Outcome run = scratch_.run({"hpc", "compare", path, path, "--json"});
  EXPECT_EQ(run.exit_code, 0);
  for (const char *part : {"\"verdict\": \"same\"", "\"left_median_ns\"", "\"error\": null"})
    EXPECT_TRUE(contains(run.output, part)) << run.output;
}

TEST_F(CompareVerb, BadFilesAreExitTwo) {
  const std::string good = bench("20000");
  const std::string planned = scratch_.run({"hpc", "bench", "--name", "x", "--shape", "64x64x64", "--dry-run"}).line();
  const std::string validation = scratch_.run({"hpc", "validate", "--name", "x", "--dry-run"}).line();
  scratch_.write("broken.json", pyc::test::slurp(scratch_ / good).substr(0, 500));
  for (const std::string &bad : {std::string("nowhere.json"), std::string("broken.json"), planned, validation}) {
    const Outcome run = scratch_.run({"hpc", "compare", good, bad});
    EXPECT_EQ(run.exit_code, 2) << bad << ": " << run.errors;
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(contains(run.errors, bad)) << run.errors;
  }
  EXPECT_EQ(scratch_.run({"hpc", "compare", good}).exit_code, 2);
  EXPECT_EQ(scratch_.run({"hpc", "compare", good, good, good}).exit_code, 2);
}

}  // namespace
}  // namespace pyc::cli::test
