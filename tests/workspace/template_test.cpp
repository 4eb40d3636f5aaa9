#include "workspace/template.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"

namespace pyc::workspace {
namespace {

using test::replaced;
using test::SampleWorkspace;
using test::source_workspace;

const std::string kTemplate = R"({
  "schema": "pyc.template/1",
  "name": "plain",
  "description": "for tests",
  "dtype": ["fp32", "fp16"],
  "layouts": ["nn"],
  "archs": ["sm90"],
  "parameters": [
    {"name": "tile_m", "constant": "kTileM", "default": 64, "minimum": 16, "maximum": 256, "multiple_of": 16,
     "description": "rows of a tile"},
    {"name": "thread_m", "constant": "kThreadM", "default": "tile_m / 16", "minimum": 1, "maximum": 16,
     "multiple_of": 1, "description": "rows of a thread"},
    {"name": "vector", "constant": "kVector", "default": 4, "minimum": 1, "maximum": 4, "values": [1, 2, 4],
     "description": "elements of a load"}
  ],
  "rules": [
    {"rule": "tile_m % thread_m == 0", "message": "thread_m must divide tile_m"},
    {"rule": "tile_m * tile_m * 4 <= shared_memory_limit", "message": "the tile does not fit into shared memory"}
  ],
  "requires": {"m_multiple": 1, "n_multiple": 1, "k_multiple": 1, "pointer_alignment": 1, "ld_multiple": 1},
  "workspace": false,
  "runtime": {"tensor_core": false}
}
)";
const std::string kPlace = "kernels/templates/gemm/plain/template.json";

Result<Template> read_plain(const std::string &text) {
  const SampleWorkspace sample;
  sample.write(kPlace, text);
  return read_template(sample.workspace(), "plain");
}

TEST(Templates, AreReadFromTheWorkspace) {
  const SampleWorkspace sample;
  EXPECT_TRUE(read_templates(sample.workspace())->empty());
  sample.write(kPlace, kTemplate);
  sample.write("kernels/templates/gemm/README.md", "");
  const auto all = read_templates(sample.workspace());
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 1u);
  const Template &plain = all->front();
  EXPECT_EQ(plain.name, "plain");
  EXPECT_EQ(plain.parameters.size(), 3u);
  EXPECT_EQ(plain.parameters[1].default_expression, "tile_m / 16");
  EXPECT_EQ(plain.parameters[2].values, (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_EQ(plain.folder, sample / "kernels/templates/gemm/plain");
  EXPECT_EQ(plain.requirements.pointer_alignment, 4) << "one element of the widest dtype";
}

TEST(Templates, AnUnknownOneIsRefusedWithWhatThereIs) {
  const SampleWorkspace sample;
  sample.write(kPlace, kTemplate);
  const auto missing = read_template(sample.workspace(), "plian");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(missing.error().hint.find("'plain'"), std::string::npos);
  EXPECT_FALSE(read_template(sample.workspace(), "../../registry"));
}

struct Bad {
  const char *from, *to, *field;
};

TEST(Templates, WithBadFieldsAreRefusedByName) {
  const Bad cases[] = {{"pyc.template/1", "pyc.template/2", "'schema'"},
                       {"\"plain\"", "\"other\"", "'name'"},
                       {"[\"fp32\", \"fp16\"]", "[\"fp8\"]", "'dtype'"},
                       {"[\"nn\"]", "[]", "'layouts'"},
                       {"[\"sm90\"]", "\"sm90\"", "'archs'"},
                       {"\"kThreadM\"", "\"kTileM\"", "'parameters[1].name'"},
                       {"\"kTileM\"", "\"kTileM = 1; int x\"", "'parameters[0].constant'"},
                       {"\"name\": \"vector\"", "\"name\": \"tile_m\"", "'parameters[2].name'"},
                       {"\"default\": 64", "\"default\": 6.4", "'parameters[0].default'"},
                       {"\"maximum\": 256", "\"maximum\": 8", "'parameters[0].maximum'"},
                       {"[1, 2, 4]", "[1, 2, 8]", "'parameters[2].values"},
                       {"\"rule\": \"tile_m %", "\"rul\": \"tile_m %", "'rules[0].rule'"},
                       {"\"workspace\": false", "\"workspaces\": false", "'workspace'"}};
  for (const Bad &bad : cases) {
    const auto result = read_plain(replaced(kTemplate, bad.from, bad.to));
    ASSERT_FALSE(result) << bad.to;
    EXPECT_NE(result.error().message.find(kPlace), std::string::npos) << result.error().message;
    EXPECT_NE(result.error().message.find(bad.field), std::string::npos) << bad.to << ": " << result.error().message;
  }
}

TEST(Templates, ABrokenOneIsRefusedWithThePageThatListsTheFields) {
  const auto result = read_plain("{");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().hint.find("docs/reference/template-json.md"), std::string::npos) << result.error().hint;
}

std::string refusal(const Template &from, const Parameters &given, const std::string &arch = "sm90") {
  const auto resolved = resolve_parameters(from, given, arch);
  if (resolved) return "";
  EXPECT_EQ(resolved.error().kind, ErrorKind::kInvalid);
  return resolved.error().message + "\n" + resolved.error().hint;
}

TEST(ResolveParameters, CompletesWithDefaultsThatFollowTheGiven) {
  const auto plain = read_plain(kTemplate);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(*resolve_parameters(*plain, {}, "sm90"), (Parameters{{"tile_m", 64}, {"thread_m", 4}, {"vector", 4}}));
  EXPECT_EQ(*resolve_parameters(*plain, {{"tile_m", 128}}, "sm90"),
            (Parameters{{"tile_m", 128}, {"thread_m", 8}, {"vector", 4}}));
  EXPECT_EQ(*resolve_parameters(*plain, {{"tile_m", 128}, {"thread_m", 2}}, "sm90"),
            (Parameters{{"tile_m", 128}, {"thread_m", 2}, {"vector", 4}}));
}

TEST(ResolveParameters, NamesTheParameterThatIsRefused) {
  const auto plain = read_plain(kTemplate);
  for (const std::int64_t value :
       {INT64_MIN, std::int64_t{-16}, std::int64_t{0}, std::int64_t{17}, std::int64_t{272}, INT64_MAX}) {
    const std::string message = refusal(*plain, {{"tile_m", value}});
    EXPECT_NE(message.find("'tile_m'"), std::string::npos) << value << ": " << message;
    EXPECT_NE(message.find("multiple of 16 from 16 to 256"), std::string::npos) << message;
  }
  EXPECT_NE(refusal(*plain, {{"vector", 3}}).find("one of 1, 2, 4"), std::string::npos);
  EXPECT_NE(refusal(*plain, {{"tile_n", 16}}).find("did you mean 'tile_m'"), std::string::npos);
}

TEST(ResolveParameters, NamesTheRuleThatIsBroken) {
  const auto plain = read_plain(kTemplate);
  const std::string message = refusal(*plain, {{"tile_m", 64}, {"thread_m", 5}});
  EXPECT_NE(message.find("thread_m must divide tile_m"), std::string::npos) << message;
  EXPECT_NE(message.find("thread_m = 5"), std::string::npos) << message;
  EXPECT_NE(message.find("tile_m % thread_m == 0"), std::string::npos) << message;
  EXPECT_NE(refusal(*plain, {{"tile_m", 256}}).find("shared memory"), std::string::npos);
}

TEST(ResolveParameters, SaysThatADefaultIsToBlame) {
  const auto plain = read_plain(replaced(kTemplate, "tile_m / 16", "tile_m / 2"));
  EXPECT_NE(refusal(*plain, {{"tile_m", 128}}).find("its default"), std::string::npos);
}

TEST(ResolveParameters, RefusesAnArchThatTheTemplateIsNotFor) {
  const auto plain = read_plain(kTemplate);
  for (const char *arch : {"sm89", "sm75", ""}) EXPECT_NE(refusal(*plain, {}, arch).find("sm90"), std::string::npos);
}

TEST(ResolveParameters, ARuleThatCannotBeEvaluatedIsAnError) {
  const auto plain = read_plain(replaced(kTemplate, "tile_m % thread_m == 0", "tile_m % (thread_m - 4)"));
  EXPECT_NE(refusal(*plain, {}).find("division by zero"), std::string::npos);
}

// ---- the templates of this repository

TEST(MaintainedTemplates, AcceptTheirDefaultsOnEveryArch) {
  const auto templates = read_templates(source_workspace());
  ASSERT_TRUE(templates) << templates.error().message;
  ASSERT_FALSE(templates->empty());
  for (const Template &from : *templates) {
    for (const std::string &arch : from.arches) EXPECT_EQ(refusal(from, {}, arch), "") << from.name;
  }
}

TEST(MaintainedTemplates, SimtFp32TakesTheTilesAloneFromTheSmallestToTheLargest) {
  const auto simt = read_template(source_workspace(), "simt_fp32");
  ASSERT_TRUE(simt) << simt.error().message;
  for (const std::string &arch : simt->arches) {
    EXPECT_EQ(refusal(*simt, {{"tile_m", 16}, {"tile_n", 16}, {"tile_k", 16}}, arch), "");
    EXPECT_EQ(refusal(*simt, {{"tile_m", 128}, {"tile_n", 256}, {"tile_k", 16}}, arch), "");
  }
}

TEST(MaintainedTemplates, SimtFp32RefusesWhatCannotBeBuilt) {
  const auto simt = read_template(source_workspace(), "simt_fp32");
  ASSERT_TRUE(simt) << simt.error().message;
  EXPECT_NE(refusal(*simt, {{"tile_k", 64}, {"stages", 8}}).find("shared memory"), std::string::npos);
  EXPECT_NE(refusal(*simt, {{"thread_m", 16}, {"thread_n", 16}}).find("registers"), std::string::npos);
  EXPECT_NE(refusal(*simt, {{"thread_m", 3}}).find("divide"), std::string::npos);
}

}  // namespace
}  // namespace pyc::workspace
