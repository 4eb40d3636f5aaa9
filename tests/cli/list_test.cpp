#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tuple>

#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

TEST(ListVerb, ShowsHowFarEachCandidateHasCome) {
  Scratch scratch;
  scratch.create("alpha");
  scratch.create("beta", "sm89");
  EXPECT_EQ(scratch.run({"hpc", "validate", "--name", "alpha", "--shape", "64x64x64"}).exit_code, 0);
  const Outcome all = scratch.run({"hpc", "list"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_TRUE(contains(all.output, "validated"));
  EXPECT_TRUE(contains(all.output, "created"));
  const Outcome validated = scratch.run({"hpc", "list", "--status", "validated"});
  EXPECT_TRUE(contains(validated.output, "alpha"));
  EXPECT_FALSE(contains(validated.output, "beta"));
  const Outcome ada = scratch.run({"hpc", "list", "--arch", "sm89"});
  EXPECT_FALSE(contains(ada.output, "alpha"));
}

TEST(ListVerb, EvidenceOfAnOlderSourceDoesNotCount) {
  Scratch scratch;
  scratch.create("alpha");
  EXPECT_EQ(scratch.run({"hpc", "validate", "--name", "alpha", "--shape", "64x64x64"}).exit_code, 0);
  const auto path = scratch / "kernels/prototypes/alpha/kernel.cu";
  scratch.write("kernels/prototypes/alpha/kernel.cu", pyc::test::slurp(path) + "\n// changed\n");
  const Outcome run = scratch.run({"hpc", "list"});
  EXPECT_TRUE(contains(run.output, "created")) << run.output;
  EXPECT_TRUE(contains(run.output, "passed (older source)")) << run.output;
}

TEST(ListVerb, ADryRunTakesNothingBack) {
  Scratch scratch;
  scratch.create("alpha");
  EXPECT_EQ(scratch.run({"hpc", "validate", "--name", "alpha", "--shape", "64x64x64"}).exit_code, 0);
  EXPECT_EQ(scratch.run({"hpc", "validate", "--name", "alpha", "--dry-run"}).exit_code, 0);
  EXPECT_TRUE(contains(scratch.run({"hpc", "list"}).output, "validated"));
}

TEST(ListVerb, ADamagedFileTakesNothingBackAndIsOfNoSource) {
  const Scratch scratch;
  scratch.create("alpha");
  scratch.write("kernels/results/alpha-validation-20990101T000000000Z.json", "{");
  const Outcome damaged = scratch.run({"hpc", "list"});
  EXPECT_TRUE(contains(damaged.output, "unreadable")) << damaged.output;
  EXPECT_FALSE(contains(damaged.output, "older source")) << damaged.output;
  ASSERT_EQ(scratch.run({"hpc", "validate", "--name", "alpha"}).exit_code, 0);
  const Outcome validated = scratch.run({"hpc", "list", "--status", "validated"});
  EXPECT_TRUE(contains(validated.output, "passed")) << validated.output;
}

TEST(ListVerb, ABrokenCandidateIsListedAndExplained) {
  const Scratch scratch;
  scratch.create("alpha");
  scratch.write("kernels/prototypes/alpha/kernel.json", "{");
  const Outcome run = scratch.run({"hpc", "list"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.output, "broken")) << run.output;
  EXPECT_TRUE(contains(run.errors, "kernel.json")) << run.errors;
}

TEST(ListVerb, ShowsTheNewestProfileAndWhetherItFits) {
  Scratch scratch;
  scratch.create("alpha");
  ASSERT_EQ(scratch.run({"hpc", "profile", "--name", "alpha", "--command", "true {binary}"}).exit_code, 0);
  const Outcome fits = scratch.run({"hpc", "list"});
  EXPECT_TRUE(contains(fits.output, "completed")) << fits.output;
  EXPECT_TRUE(contains(fits.output, " profile\n")) << "the newest evidence of all\n" << fits.output;
  const std::string path = "kernels/prototypes/alpha/kernel.cu";
  scratch.write(path, pyc::test::slurp(scratch / path) + "// changed\n");
  EXPECT_TRUE(contains(scratch.run({"hpc", "list"}).output, "completed (older source)"));
  EXPECT_TRUE(contains(scratch.run({"hpc", "list", "--json"}).output, "\"profile\": {"));
}

TEST(ListVerb, AFilterThatCannotMatchIsRefusedWithTheNearestWord) {
  const Scratch scratch;
  scratch.create("alpha");
  EXPECT_TRUE(contains(scratch.run({"hpc", "list", "--selector", "gemm/fp32/nn/square"}).output, "alpha"));
  EXPECT_FALSE(contains(scratch.run({"hpc", "list", "--selector", "gemm/fp32/nn/small"}).output, "alpha"));
  for (const auto &[flag, typed, meant] :
       {std::tuple("--selector", "gemm/fp32/nn/sqare", "'gemm/fp32/nn/square'"), std::tuple("--arch", "sm9", "'sm90'"),
        std::tuple("--status", "promted", "'promoted'")}) {
    const Outcome run = scratch.run({"hpc", "list", flag, typed});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(contains(run.errors, meant)) << run.errors;
  }
}

TEST(ListVerb, FiltersThatNoCandidatePassesSayNothingOfCreating) {
  const Scratch scratch;
  scratch.create("alpha");
  const Outcome run = scratch.run({"hpc", "list", "--arch", "sm89"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors, "no candidate passes the filters\n");
}

// Whoever opens a FIFO waits for a writer.
TEST(ListVerb, AFifoAmongTheEvidenceIsNotWaitedFor) {
  const Scratch scratch;
  scratch.create("alpha");
  std::filesystem::create_directories(scratch / "kernels/results");
  const std::string name = "kernels/results/alpha-validation-20260101T000000000Z.json";
  const std::string limited = "timeout 20 '" PYC_BINARY "'";
  ASSERT_EQ(mkfifo((scratch / name).c_str(), 0600), 0);
  EXPECT_EQ(scratch.shell(limited + " hpc list").exit_code, 0);
  const Outcome compared = scratch.shell(limited + " hpc compare " + name + " " + name);
  EXPECT_EQ(compared.exit_code, 2);
  EXPECT_TRUE(contains(compared.errors, "not a regular file")) << compared.errors;
}

TEST(ListVerb, AnEmptyWorkspacePrintsNothingOnStdout) {
  const Outcome run = Scratch().run({"hpc", "list"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "");
}

TEST(ListVerb, ARegistryWithTwoRecordsOfOneSelectorIsRefused) {
  const Scratch scratch;
  scratch.write("kernels/registry/kernels.json", "{\"schema\": \"pyc.registry/1\", \"records\": [{}, {}]}");
  const Outcome run = scratch.run({"hpc", "list"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "kernels.json")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "\n\nhint: ")) << run.errors;
}

}  // namespace
}  // namespace pyc::cli::test
