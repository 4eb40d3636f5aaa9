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

TEST(DoctorVerb, ExaminesTheWorkspaceToo) {
  const Scratch scratch;
  scratch.run({"hpc", "sync"});
  const Outcome whole = scratch.run({"hpc", "doctor"});
  for (const char *part : {"ok       registry", "0 promoted kernels", "ok       generated files", "GiB free"})
    EXPECT_TRUE(contains(whole.output, part)) << part << "\n" << whole.output;
  scratch.write("src/compiler/cutlass_kernels/registry/generated_registry.cu", "// edited\n");
  const Outcome stale = scratch.run({"hpc", "doctor"});
  EXPECT_EQ(stale.exit_code, 0) << "validate and bench can run all the same";
  EXPECT_TRUE(contains(stale.output, "warning  generated files")) << stale.output;
  EXPECT_TRUE(contains(stale.output, "pyc hpc sync")) << stale.output;
}

TEST(DoctorVerb, ARegistryThatCannotBeReadIsBrokenWithARemedy) {
  const Scratch scratch;
  const std::string record =
      pyc::test::slurp(std::filesystem::path(PYC_SOURCE_FOLDER) / "kernels/registry/kernels.json");
  scratch.write("kernels/registry/kernels.json", record.substr(0, record.size() / 2));
  const Outcome run = scratch.run({"hpc", "doctor"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.output, "broken   registry")) << run.output;
  EXPECT_TRUE(contains(run.output, "hint: registry: ")) << run.output;
  EXPECT_TRUE(contains(run.errors, "registry")) << run.errors;
}

TEST(DoctorVerb, EveryLineThatIsNotOkHasAHint) {
  Scratch scratch;
  scratch.set("PATH", "/nonexistent");
  scratch.write("kernels/registry/kernels.json", "{}");
  const Outcome run = scratch.run({"hpc", "doctor", "--json"});
  std::size_t seen = 0;
  for (std::size_t at = 0; (at = run.output.find("\"status\": \"", at)) != std::string::npos; ++at) {
    const std::string check = run.output.substr(at, run.output.find('}', at) - at);
    if (contains(check, "\"status\": \"ok\"")) continue;
    ++seen;
    EXPECT_FALSE(contains(check, "\"hint\": \"\"")) << check;
  }
  EXPECT_GE(seen, 5u) << run.output;
}

TEST(DoctorVerb, RunsOutsideOfAWorkspaceAndSaysSo) {
  const Outcome run = Scratch().shell("cd / && pyc hpc doctor");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.output, "missing  workspace")) << run.output;
}

}  // namespace
}  // namespace pyc::cli::test
