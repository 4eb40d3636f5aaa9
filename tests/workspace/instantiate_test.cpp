#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"
#include "workspace/template.h"

namespace pyc::workspace {
namespace {

using pyc::test::slurp;
using test::replaced;
using test::source_workspace;

Template plain_template() {
  Template plain;
  plain.name = "plain";
  plain.parameters = {{"tile_m", "kTileM", 64, 1, 256}, {"tile", "kTile", 8, 1, 256}};
  return plain;
}

const std::string kKernel =
    "constexpr int kTileM = 64;\nconstexpr int kTile = 8;\nconstexpr int kTileMore = kTileM + 1;\n"
    "PYC_KERNEL pyc_status pyc_gemm_plain(const pyc_gemm_args *args, void *stream) { my_pyc_gemm_plain(); }\n"
    "PYC_KERNEL size_t pyc_gemm_plain_workspace(const pyc_gemm_args *args) { return pyc_gemm_plain2(); }\n";

TEST(Instantiate, PutsInConstantsAndSymbol) {
  const auto source = instantiate(kKernel, plain_template(), {{"tile_m", 128}, {"tile", 16}}, "mine");
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(*source,
            "constexpr int kTileM = 128;\nconstexpr int kTile = 16;\nconstexpr int kTileMore = kTileM + 1;\n"
            "PYC_KERNEL pyc_status pyc_gemm_mine(const pyc_gemm_args *args, void *stream) { my_pyc_gemm_plain(); }\n"
            "PYC_KERNEL size_t pyc_gemm_mine_workspace(const pyc_gemm_args *args) { return pyc_gemm_plain2(); }\n");
}

TEST(Instantiate, ASourceWithoutConstantsGetsTheSymbol) {
  EXPECT_EQ(*instantiate("f(\"pyc_gemm_plain\", &pyc_gemm_plain);", plain_template(), {{"tile_m", 1}, {"tile", 1}},
                         "plain_2"),
            "f(\"pyc_gemm_plain_2\", &pyc_gemm_plain_2);");
}

TEST(Instantiate, ACandidateMayHaveTheTemplatesName) {
  EXPECT_EQ(*instantiate(kKernel, plain_template(), {{"tile_m", 64}, {"tile", 8}}, "plain"), kKernel);
}

TEST(Instantiate, AConstantThatIsMissingOrThereTwiceIsADefectOfTheTemplate) {
  const Parameters parameters = {{"tile_m", 1}, {"tile", 1}};
  for (const std::string &source :
       {replaced(kKernel, "constexpr int kTile = 8;", ""), replaced(kKernel, "kTile = 8;", "kTile = 2 * 4;"),
        kKernel + "constexpr int kTile = 8;\n",
        replaced(kKernel, "pyc_status pyc_gemm_plain(", "void other(").substr(0, 150)}) {
    const auto result = instantiate(source, plain_template(), parameters, "mine");
    ASSERT_FALSE(result) << source;
    EXPECT_EQ(result.error().kind, ErrorKind::kInternal);
  }
}

TEST(Instantiate, TheLayoutSetsTheConstantsOfATemplateThatOffersSeveral) {
  Template several = plain_template();
  several.layouts = {"nn", "nt"};
  const Parameters parameters = {{"tile_m", 64}, {"tile", 8}};
  const std::string constants = "constexpr int kTransposedA = 0;\nconstexpr int kTransposedB = 0;\n";
  EXPECT_EQ(*instantiate(constants + kKernel, several, parameters, "plain", "nt"),
            replaced(constants, "kTransposedB = 0", "kTransposedB = 1") + kKernel);
  EXPECT_EQ(*instantiate(constants + kKernel, several, parameters, "plain"), constants + kKernel);
  EXPECT_FALSE(instantiate(kKernel, several, parameters, "plain", "nt")) << "it would compute another layout";
  EXPECT_EQ(*instantiate("pyc_gemm_plain", several, parameters, "plain", "nt"), "pyc_gemm_plain");
}

TEST(Instantiate, RefusesANameThatIsNoCandidates) {
  EXPECT_FALSE(instantiate(kKernel, plain_template(), {{"tile_m", 1}, {"tile", 1}}, "x; }"));
}

TEST(RenameSymbol, IsNotConfusedByNamesThatContainEachOther) {
  EXPECT_EQ(rename_symbol("pyc_gemm_a pyc_gemm_aa pyc_gemm_a_workspace pyc_gemm_a_b", "a", "aa"),
            "pyc_gemm_aa pyc_gemm_aa pyc_gemm_aa_workspace pyc_gemm_a_b");
  EXPECT_EQ(rename_symbol("nothing", "a", "b"), "nothing");
}

TEST(MaintainedTemplates, TheirSourcesTakeEveryParameter) {
  const auto templates = read_templates(source_workspace());
  ASSERT_TRUE(templates) << templates.error().message;
  for (const Template &from : *templates) {
    const auto parameters = resolve_parameters(from, {}, from.arches.front());
    ASSERT_TRUE(parameters) << parameters.error().message;
    const std::string original = slurp(from.folder / "kernel.cu");
    const auto kernel = instantiate(original, from, *parameters, "candidate_x");
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(rename_symbol(*kernel, "candidate_x", from.name), original)
        << "the defaults of template.json are those of kernel.cu";
    for (const TemplateParameter &parameter : from.parameters) {
      EXPECT_NE(original.find("constexpr int " + parameter.constant + " = "), original.npos) << parameter.constant;
    }
    EXPECT_TRUE(instantiate(slurp(from.folder / "harness.cu"), from, *parameters, "candidate_x"));
  }
}

}  // namespace
}  // namespace pyc::workspace
