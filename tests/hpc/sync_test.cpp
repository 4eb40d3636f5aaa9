#include <gtest/gtest.h>

#include "hpc/verbs.h"
#include "tests/hpc/evidence_fixture.h"

namespace pyc::hpc {
namespace {

using test::slurp;

class Sync : public testing::Test {
 protected:
  void promote_candidate(const std::string &name) {
    const workspace::Candidate candidate = scratch_.add_candidate(name);
    PromoteOptions options;
    options.name = name;
    options.validation_result = scratch_.write(test::good_validation(candidate));
    options.benchmark_result = scratch_.write(test::good_benchmark(candidate, nullptr));
    options.bootstrap = true;
    ASSERT_TRUE(promote(scratch_.context(), options)->promoted);
  }
  std::filesystem::path generated(const std::string &name) const { return scratch_.workspace().generated() / name; }
  SyncResult synced(bool check) {
    const auto result = sync(scratch_.context(), check);
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : SyncResult{};
  }

  test::ScratchWorkspace scratch_;
};

TEST_F(Sync, FindsNothingToDoAfterAPromotion) {
  promote_candidate("first");
  EXPECT_TRUE(synced(true).stale.empty());
  const SyncResult result = synced(false);
  EXPECT_TRUE(result.stale.empty());
  EXPECT_FALSE(result.written);
}

TEST_F(Sync, CheckNamesStaleFilesAndWritesNothing) {
  promote_candidate("first");
  std::ofstream(generated("generated_registry.cu"), std::ios::app) << "// edited\n";
  const std::string before = slurp(generated("generated_registry.cu"));
  const SyncResult result = synced(true);
  EXPECT_EQ(result.stale, (std::vector<std::string>{"src/compiler/cutlass_kernels/registry/generated_registry.cu"}));
  EXPECT_FALSE(result.written);
  EXPECT_EQ(slurp(generated("generated_registry.cu")), before);
}

TEST_F(Sync, RestoresEditedAndMissingFiles) {
  promote_candidate("first");
  const std::string registry_cu = slurp(generated("generated_registry.cu"));
  const std::string kernels_cmake = slurp(generated("generated_kernels.cmake"));
  std::ofstream(generated("generated_registry.cu"), std::ios::trunc) << "edited";
  std::filesystem::remove(generated("generated_kernels.cmake"));
  const SyncResult result = synced(false);
  EXPECT_EQ(result.stale.size(), 2u);
  EXPECT_TRUE(result.written);
  EXPECT_EQ(slurp(generated("generated_registry.cu")), registry_cu);
  EXPECT_EQ(slurp(generated("generated_kernels.cmake")), kernels_cmake);
}

// The registry is renamed first: a crash behind that rename leaves a new registry and old generated files.
TEST_F(Sync, CompletesAPromotionThatWasCutShort) {
  const std::string old_registry_cu = slurp(generated("generated_registry.cu"));
  const std::string old_kernels_cmake = slurp(generated("generated_kernels.cmake"));
  promote_candidate("first");
  const std::string registry_cu = slurp(generated("generated_registry.cu"));
  std::ofstream(generated("generated_registry.cu"), std::ios::trunc) << old_registry_cu;
  std::ofstream(generated("generated_kernels.cmake"), std::ios::trunc) << old_kernels_cmake;
  EXPECT_EQ(synced(true).stale.size(), 2u);
  EXPECT_TRUE(synced(false).written);
  EXPECT_EQ(slurp(generated("generated_registry.cu")), registry_cu);
  EXPECT_TRUE(synced(true).stale.empty());
}

TEST_F(Sync, RefusesADamagedRegistryAndKeepsTheGeneratedFiles) {
  promote_candidate("first");
  const std::string before = slurp(generated("generated_registry.cu"));
  std::ofstream(scratch_.workspace().registry(), std::ios::trunc) << "{}";
  for (const bool check : {true, false}) {
    const auto result = sync(scratch_.context(), check);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::kInvalid);
  }
  EXPECT_EQ(slurp(generated("generated_registry.cu")), before);
}

TEST_F(Sync, CheckNeedsNoLock) {
  std::filesystem::create_directory(scratch_.workspace().registry().parent_path() / ".lock");
  EXPECT_TRUE(sync(scratch_.context(), true));
  EXPECT_FALSE(sync(scratch_.context(), false));
}

}  // namespace
}  // namespace pyc::hpc
