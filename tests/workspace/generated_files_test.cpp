#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/workspace/sample_workspace.h"
#include "workspace/registry.h"

namespace pyc::workspace {
namespace {

namespace fs = std::filesystem;
using pyc::test::slurp;
using test::registry_of;
using test::sample_record;
using test::SampleWorkspace;
using test::source_workspace;

const std::string kCu = "src/compiler/cutlass_kernels/registry/generated_registry.cu";
const std::string kCmake = "src/compiler/cutlass_kernels/registry/generated_kernels.cmake";

TEST(GeneratedFiles, TheCommittedOnesAreCurrent) {
  const auto registry = read_registry(source_workspace());
  ASSERT_TRUE(registry) << registry.error().message;
  const auto stale = stale_generated_files(source_workspace(), *registry);
  ASSERT_TRUE(stale) << stale.error().message;
  EXPECT_EQ(*stale, std::vector<std::string>{}) << "run: pyc hpc sync";
}

// The example of the format's description, which the runtime's tests compile.
Registry documented_registry() {
  Record big = sample_record("big_v2", "large_square"), split = sample_record("split_v1", "square");
  const std::string digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123";
  big.digest = digits.substr(0, 64), big.source_sha256 = digits.substr(1, 64);
  split.digest = digits.substr(2, 64), split.source_sha256 = digits.substr(3, 64);
  big.runtime.priority = split.runtime.priority = 0;
  big.flags = split.flags = {"-O3", "-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a", "-lineinfo"};
  big.runtime.deterministic = true, split.runtime.deterministic = false;
  split.workspace = true;
  split.requirements = {1, 4, 4, 16, 4};
  split.evidence.ratio_to_incumbent.reset();
  return registry_of({big, split});
}

// The code blocks of a Markdown file, in order.
std::vector<std::string> code_blocks(const std::string &markdown) {
  std::vector<std::string> blocks;
  bool inside = false;
  for (const std::string &line : split(markdown, '\n')) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

TEST(GeneratedFiles, AreThoseOfTheFormatsDescription) {
  const auto blocks = code_blocks(slurp(source_workspace().root / "src/compiler/cutlass_kernels/README.md"));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(generated_registry_cu({}), blocks[0]);
  EXPECT_EQ(generated_registry_cu(documented_registry()), blocks[1]);
  EXPECT_EQ(generated_kernels_cmake(documented_registry()), blocks[2]);
  EXPECT_EQ(generated_kernels_cmake({}), split(blocks[2], '\n').front() + "\n");
}

TEST(GeneratedFiles, AreWrittenWithTheRegistry) {
  const SampleWorkspace sample;
  const Registry registry = registry_of({sample_record("tiled")});
  ASSERT_TRUE(write_registry(sample.workspace(), registry));
  EXPECT_EQ(slurp(sample / "kernels/registry/kernels.json"), to_json(registry));
  EXPECT_EQ(slurp(sample / kCu), generated_registry_cu(registry));
  EXPECT_EQ(slurp(sample / kCmake), generated_kernels_cmake(registry));
  EXPECT_TRUE(stale_generated_files(sample.workspace(), registry)->empty());
}

TEST(GeneratedFiles, StaleOnesAreNamedAndMended) {
  const SampleWorkspace sample;
  const Registry registry = registry_of({sample_record("tiled")});
  EXPECT_EQ(*stale_generated_files(sample.workspace(), registry), (std::vector<std::string>{kCu, kCmake}));
  ASSERT_TRUE(write_generated_files(sample.workspace(), registry));
  sample.write(kCmake, "edited");
  EXPECT_EQ(*stale_generated_files(sample.workspace(), registry), (std::vector<std::string>{kCmake}));
  ASSERT_TRUE(write_generated_files(sample.workspace(), registry));
  EXPECT_TRUE(stale_generated_files(sample.workspace(), registry)->empty());
}

TEST(GeneratedFiles, CurrentOnesAreNotTouched) {
  const SampleWorkspace sample;
  const Registry registry = registry_of({sample_record("tiled")});
  ASSERT_TRUE(write_registry(sample.workspace(), registry));
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(sample / kCu, long_ago);
  ASSERT_TRUE(write_registry(sample.workspace(), registry));
  EXPECT_EQ(fs::last_write_time(sample / kCu), long_ago) << "a rebuild would follow";
}

TEST(GeneratedFiles, AreAFunctionOfTheRecordsAndNotOfTheirOrder) {
  const SampleWorkspace sample, other;
  const Record a = sample_record("a", "small"), b = sample_record("b", "square");
  ASSERT_TRUE(write_registry(sample.workspace(), registry_of({a, b})));
  ASSERT_TRUE(write_registry(other.workspace(), registry_of({b, a})));
  for (const std::string &file : {kCu, kCmake, std::string("kernels/registry/kernels.json")}) {
    EXPECT_EQ(slurp(sample / file), slurp(other / file)) << file;
  }
}

TEST(GeneratedFiles, NothingIsWrittenForARecordThatCouldInject) {
  const SampleWorkspace sample;
  const std::string before = slurp(sample / "kernels/registry/kernels.json");
  std::vector<Record> bad(6, sample_record("tiled"));
  bad[0].symbol = "x; }";
  bad[1].flags.push_back("-D\"x\"");
  bad[2].source = "kernels/prototypes/tiled/kernel.cu\n)";
  bad[3].digest = std::string(63, 'a') + "\"";
  bad[4].arch = "sm90\", \"x";
  bad[5].name = "tiled)", bad[5].symbol = "pyc_gemm_tiled)";
  for (const Record &record : bad) {
    const Status written = write_registry(sample.workspace(), registry_of({record}));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::kInvalid);
    EXPECT_FALSE(write_generated_files(sample.workspace(), registry_of({record})));
  }
  EXPECT_EQ(slurp(sample / "kernels/registry/kernels.json"), before);
  EXPECT_FALSE(fs::exists(sample / kCu));
}

TEST(GeneratedFiles, AFailureBeforeTheFirstRenameLeavesTheOldState) {
  const SampleWorkspace sample;
  ASSERT_TRUE(write_registry(sample.workspace(), registry_of({sample_record("old")})));
  const std::string registry = slurp(sample / "kernels/registry/kernels.json"), cu = slurp(sample / kCu);
  // A folder where the last file must go: it cannot be written.
  fs::remove(sample / kCmake);
  sample.write(kCmake + "/in_the_way", "");
  EXPECT_FALSE(write_registry(sample.workspace(), registry_of({sample_record("new")})));
  EXPECT_EQ(slurp(sample / "kernels/registry/kernels.json"), registry);
  EXPECT_EQ(slurp(sample / kCu), cu);
}

}  // namespace
}  // namespace pyc::workspace
