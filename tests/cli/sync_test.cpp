#include <gtest/gtest.h>

#include "cli/exit_codes.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

// Holds the registry's lock for `seconds` in the background, and goes on when it has it.
std::string hold_lock(const std::string &seconds) {
  return "flock kernels/registry/.lock -c 'touch held; sleep " + seconds +
         "' & while [ ! -e held ]; do sleep 0.02; done; ";
}

TEST(SyncVerb, SaysThatItWaitsForTheLockAndThenDoesItsWork) {
  const Scratch scratch;
  const Outcome run = scratch.shell(hold_lock("1") + "pyc hpc sync; code=$?; wait; exit $code");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors,
                       "note: waiting up to 30 s for another promote or sync, which holds "
                       "'kernels/registry/.lock'"))
      << run.errors;
  EXPECT_TRUE(contains(run.output, "written")) << run.output;
}

TEST(SyncVerb, WaitsSilentlyIfItIsAskedTo) {
  const Outcome run = Scratch().shell(hold_lock("1") + "pyc hpc sync --quiet; code=$?; wait; exit $code");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.errors, "");
}

TEST(SyncVerb, SaysNothingOfALockThatNobodyHolds) {
  EXPECT_FALSE(contains(Scratch().run({"hpc", "sync"}).errors, "waiting"));
}

// FileLock.SecondHolderIsRefusedAfterTheWait says of which kind the error is.
TEST(SyncVerb, ALockThatStaysHeldIsExitTwo) { EXPECT_EQ(exit_code("hpc", ErrorKind::kInternal), 2); }

}  // namespace
}  // namespace pyc::cli::test
