#include "workspace/trial_build.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/workspace/sample_workspace.h"

namespace pyc::workspace {
namespace {

using pyc::test::slurp;
using test::SampleWorkspace;

const BuildProgress kSilent = [](const std::string &) {};

// A template, an instance of it, and a compiler that notes its calls.
class TrialBuildTest : public testing::Test {
 protected:
  TrialBuildTest() {
    sample_.write("kernels/harness/loaded_kernel.cpp", "#include \"harness.h\"\n");
    sample_.write("kernels/templates/gemm/plain/kernel.cu", "#include \"pyc/kernel.h\"\n// pyc_gemm_plain\n");
    sample_.write("kernels/templates/gemm/plain/harness.cu", "// pyc_gemm_plain\n");
    sample_.write("kernels/templates/gemm/plain/template.json", "{}\n");
    from_.name = "plain";
    from_.folder = sample_ / "kernels/templates/gemm/plain";
    trial_ = test::sample_candidate("trial");
    nvcc_.path = sample_.folder().write_program(
        "nvcc", "echo \"$*\" >> " + (sample_ / "calls").string() +
                    "\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo made > \"$2\"; shift; done\n"
                    "echo 'ptxas info    : Used 40 registers'");
    nvcc_.toolkit = "/usr/local/cuda";
    nvcc_.version = "13.0.88";
    nvcc_.arches = {"compute_89", "compute_90", "compute_90a"};
    nvcc_.host_compiler = "g++ 12.2.0";
  }

  Result<TrialBuild> build() { return build_trial(sample_.workspace(), from_, trial_, nvcc_); }
  std::size_t calls() const {
    const std::string text = slurp(sample_ / "calls");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  SampleWorkspace sample_;
  Template from_;
  NewCandidate trial_;
  toolchain::Nvcc nvcc_;
};

TEST_F(TrialBuildTest, IsOneCompilationAndOneLinkWithoutACandidate) {
  const auto built = build();
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(calls(), 2u);
  EXPECT_FALSE(built->from_cache);
  EXPECT_EQ(slurp(built->library.parent_path() / "kernel.cu"), trial_.kernel_source);
  EXPECT_NE(built->compiler_log.find("Used 40 registers"), std::string::npos);
  EXPECT_TRUE(candidate_names(sample_.workspace()).empty());
  EXPECT_NE(slurp(sample_ / "calls").find("-shared"), std::string::npos);
}

TEST_F(TrialBuildTest, HasTheFlagsOfACandidate) {
  ASSERT_TRUE(build());
  EXPECT_NE(slurp(sample_ / "calls").find(join(kernel_flags(*toolchain::find_arch("sm90")), " ")), std::string::npos);
}

TEST_F(TrialBuildTest, TheSameSourceIsNotCompiledAgain) {
  ASSERT_TRUE(build());
  const auto again = build();
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->from_cache);
  EXPECT_EQ(calls(), 2u);
}

TEST_F(TrialBuildTest, AnotherSourceAnotherHeaderAndAnotherCompilerAreOtherBuilds) {
  ASSERT_TRUE(build());
  trial_.kernel_source += "// other\n";
  EXPECT_FALSE(build()->from_cache);
  sample_.write("include/pyc/kernel.h", "// changed\n");
  EXPECT_FALSE(build()->from_cache);
  nvcc_.version = "13.1.0";
  EXPECT_FALSE(build()->from_cache);
  trial_.headers["tile.h"] = "// a header of the candidate's own\n";
  const auto built = build();
  ASSERT_TRUE(built);
  EXPECT_FALSE(built->from_cache);
  EXPECT_EQ(slurp(built->library.parent_path() / "tile.h"), trial_.headers["tile.h"]);
}

TEST_F(TrialBuildTest, TheLoaderIsBuiltOnceForAllSets) {
  const auto harness = build_harness(sample_.workspace(), nvcc_, *toolchain::find_arch("sm90"), kSilent);
  ASSERT_TRUE(harness);
  const std::size_t before = calls();
  const auto one = build_loader(sample_.workspace(), nvcc_, *toolchain::find_arch("sm90"), *harness, kSilent);
  const auto other = build_loader(sample_.workspace(), nvcc_, *toolchain::find_arch("sm90"), *harness, kSilent);
  ASSERT_TRUE(one && other) << one.error().message;
  EXPECT_EQ(*one, *other);
  EXPECT_EQ(calls(), before + 2);
}

TEST_F(TrialBuildTest, ADigestOfATemplateCoversItsSourcesRulesAndHeaders) {
  const std::string first = *template_digest(sample_.workspace(), from_);
  EXPECT_EQ(*template_digest(sample_.workspace(), from_), first);
  for (const char *file : {"kernels/templates/gemm/plain/kernel.cu", "kernels/templates/gemm/plain/harness.cu",
                           "kernels/templates/gemm/plain/template.json", "include/pyc/kernel.h"}) {
    const std::string text = slurp(sample_ / file);
    sample_.write(file, text + "// changed\n");
    EXPECT_NE(*template_digest(sample_.workspace(), from_), first) << file;
    sample_.write(file, text);
  }
}

}  // namespace
}  // namespace pyc::workspace
