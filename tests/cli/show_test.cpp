#include <gtest/gtest.h>

#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

TEST(ShowVerb, TakesTheNameWithOrWithoutItsFlag) {
  const Scratch scratch;
  scratch.create("alpha");
  const Outcome bare = scratch.run({"hpc", "show", "alpha"});
  EXPECT_EQ(bare.exit_code, 0) << bare.errors;
  EXPECT_EQ(bare.output, scratch.run({"hpc", "show", "--name", "alpha"}).output);
  EXPECT_TRUE(contains(bare.output, "pyc_gemm_alpha"));
  EXPECT_TRUE(contains(bare.output, "no evidence yet"));
}

TEST(ShowVerb, AWrongNameGetsTheNearest) {
  const Scratch scratch;
  scratch.create("alpha");
  const Outcome run = scratch.run({"hpc", "show", "alpa"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "did you mean 'alpha'?")) << run.errors;
}

}  // namespace
}  // namespace pyc::cli::test
