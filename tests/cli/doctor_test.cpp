#include <gtest/gtest.h>

#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

TEST(DoctorVerb, SaysReadyWhereEverythingIsThere) {
  const Outcome run = Scratch().run({"hpc", "doctor"});
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_TRUE(contains(run.output, "ready: validate and bench can run here"));
}

TEST(DoctorVerb, WithoutAGpuTheAnswerIsNoWithARemedy) {
  Scratch scratch;
  scratch.set("PATH", "/nonexistent");
  const Outcome run = scratch.run({"hpc", "doctor"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.output, "missing  gpu"));
  EXPECT_TRUE(contains(run.output, "hint: gpu: "));
}

TEST(DoctorVerb, RunsOutsideOfAWorkspaceAndSaysSo) {
  const Outcome run = Scratch().shell("cd / && pyc hpc doctor");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.output, "missing  workspace")) << run.output;
}

}  // namespace
}  // namespace pyc::cli::test
