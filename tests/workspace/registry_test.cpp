#include "workspace/registry.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"

namespace pyc::workspace {
namespace {

using pyc::test::slurp;
using test::registry_of;
using test::replaced;
using test::sample_record;
using test::SampleWorkspace;

const std::string kFile = "kernels/registry/kernels.json";

Record bootstrap_record(const std::string &name, const std::string &family) {
  Record record = sample_record(name, family);
  record.evidence.ratio_to_incumbent.reset();
  record.evidence.replaced_digest.clear();
  record.evidence.shapes = {{{2048, 2048, 2048}, 400000, {}, {}, {}}};
  record.runtime = {};
  record.workspace = true;
  return record;
}

Registry whole_registry() {
  Registry registry = registry_of({bootstrap_record("big_v1", "large_square"), sample_record("tiled_v2")});
  registry.entries[1].history = {sample_record("tiled_v1"), bootstrap_record("tiled_v0", "square")};
  return registry;
}

TEST(Registry, WritesWhatItReadByteForByte) {
  const std::string text = to_json(whole_registry());
  const auto registry = parse_registry(text, kFile);
  ASSERT_TRUE(registry) << registry.error().message;
  EXPECT_EQ(to_json(*registry), text);
  EXPECT_EQ(registry->entries[1].history.size(), 2u);
  EXPECT_EQ(registry->entries[1].history[0].name, "tiled_v1");
  EXPECT_EQ(registry->entries[1].record.evidence.shapes[0].ratio_to_incumbent->high, 1.08);
}

TEST(Registry, KeepsWhatTheValidationMeasured) {
  Registry registry = whole_registry();
  workspace::RuntimeFigures &runtime = registry.entries[0].record.runtime;
  runtime.stack_bytes = 24, runtime.spill_bytes = 16, runtime.deterministic = false;
  const auto read = parse_registry(to_json(registry), kFile);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->entries[0].record.runtime.stack_bytes, 24);
  EXPECT_EQ(read->entries[0].record.runtime.spill_bytes, 16);
  EXPECT_EQ(read->entries[0].record.runtime.deterministic, false);
  EXPECT_FALSE(read->entries[1].record.runtime.deterministic) << "an older record says nothing";
}

TEST(Registry, TheCommittedOneIsReadAndWrittenByteForByte) {
  const Workspace workspace = test::source_workspace();
  const auto registry = read_registry(workspace);
  ASSERT_TRUE(registry) << registry.error().message;
  EXPECT_EQ(to_json(*registry), slurp(workspace.registry()));
}

TEST(Registry, FindsBySelectorAndArchAndByName) {
  const Registry registry = whole_registry();
  ASSERT_NE(registry.find("gemm/fp32/nn/square", "sm90"), nullptr);
  EXPECT_EQ(registry.find("gemm/fp32/nn/square", "sm90")->record.name, "tiled_v2");
  EXPECT_EQ(registry.find("gemm/fp32/nn/square", "sm89"), nullptr);
  EXPECT_EQ(registry.find("gemm/fp32/nn/small", "sm90"), nullptr);
  EXPECT_NE(registry.find_name("big_v1"), nullptr);
  EXPECT_EQ(registry.find_name("tiled_v1"), nullptr) << "replaced, so not promoted any more";
}

TEST(Registry, SortsBySelectorAndArch) {
  Registry registry =
      registry_of({sample_record("c", "square"), sample_record("b", "square"), sample_record("a", "small")});
  registry.entries[1].record.arch = "sm89";
  const auto sorted = parse_registry(to_json(registry), kFile);
  ASSERT_TRUE(sorted) << sorted.error().message;
  EXPECT_EQ(sorted->entries[0].record.name, "a");
  EXPECT_EQ(sorted->entries[1].record.name, "b");
  EXPECT_EQ(sorted->entries[2].record.name, "c");
}

TEST(Registry, RefusesTwoRecordsForOneSelectorAndArch) {
  const auto registry = parse_registry(to_json(registry_of({sample_record("a"), sample_record("b")})), kFile);
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().kind, ErrorKind::kInvalid);
  for (const char *word : {kFile.c_str(), "gemm/fp32/nn/square", "sm90", "'a'", "'b'"}) {
    EXPECT_NE(registry.error().message.find(word), std::string::npos) << registry.error().message;
  }
}

TEST(Registry, RefusesTwoRecordsOfOneName) {
  const auto registry =
      parse_registry(to_json(registry_of({sample_record("a", "square"), sample_record("a", "small")})), kFile);
  ASSERT_FALSE(registry);
  EXPECT_NE(registry.error().message.find("'a'"), std::string::npos);
}

struct Bad {
  const char *from, *to, *field;
};

const Bad kBad[] = {
    {"pyc.registry/1", "pyc.registry/9", "'schema'"},
    {"gemm/fp32/nn/square", "gemm/fp32/nn/round", "'records[0].selector'"},
    {"gemm/fp32/nn/square", "gemm/fp32/nn/square/x", "'records[0].selector'"},
    {"gemm/fp32/nn/square", "gemm/fp32/nn/square\\\"", "'records[0].selector'"},
    {"\"arch\": \"sm90\"", "\"arch\": \"sm90) file(REMOVE x\"", "'records[0].arch'"},
    {"\"name\": \"tiled\"", "\"name\": \"../tiled\"", "'records[0].name'"},
    {"\"pyc_gemm_tiled\"", "\"x; }\"", "'records[0].symbol'"},
    {"\"pyc_gemm_tiled\"", "\"pyc_gemm_tiled); system(\\\"x\\\"\"", "'records[0].symbol'"},
    {"kernels/prototypes/tiled/kernel.cu", "kernels/prototypes/../kernel.cu", "'records[0].source'"},
    {"kernels/prototypes/tiled/kernel.cu", "/etc/passwd", "'records[0].source'"},
    {"\"dddd", "\"DDDD", "'records[0].digest'"},
    {"\"dddd", "\"ddd", "'records[0].digest'"},
    {"\"eeee", "\"${e}", "'records[0].source_sha256'"},
    {"\"-O3\"", "\"-O3;-DX\"", "'records[0].flags'"},
    {"\"-O3\"", "\"$ENV{HOME}\"", "'records[0].flags'"},
    {"\"-O3\"", "\"-O3 -o x\"", "'records[0].flags'"},
    {"\"-O3\"", "\"-O3)\\nmessage(x\"", "'records[0].flags'"},
    {"\"-O3\"", "\"-\"", "'records[0].flags'"},
    {"\"m_multiple\": 1", "\"m_multiple\": 0", "'records[0].requires.m_multiple'"},
    {"\"priority\": 100", "\"priority\": -1", "'records[0].runtime.priority'"},
    {"\"median_ns\": 65432.1", "\"median_ns\": 0", "'records[0].evidence.shapes[0].median_ns'"},
    {"\"median_ns\": 65432.1", "\"median_ms\": 1", "'records[0].evidence.shapes[0].median_ns'"},
    {"\"estimate\": 1.25", "\"estimate\": 2.5", "'records[0].evidence.ratio_to_incumbent.high'"},
    {"\"estimate\": 1.25", "\"estimate\": \"1.25\"", "'records[0].evidence.ratio_to_incumbent.estimate'"},
    {"NVIDIA H200", "NVIDIA\\u0007", "'records[0].evidence.gpu.name'"},
    {"2026-01-31T12:34:56.789Z", "yesterday", "'records[0].promoted_utc'"},
    {"\"history\": []", "\"histories\": []", "'records[0].history'"},
    {"\"workspace\": false", "\"workspace\": false, \"x\": 1", "'records[0].x'"},
};

TEST(Registry, RefusesBadFieldsByName) {
  const std::string whole = to_json(registry_of({sample_record("tiled")}));
  for (const Bad &bad : kBad) {
    const auto registry = parse_registry(replaced(whole, bad.from, bad.to), kFile);
    ASSERT_FALSE(registry) << bad.to;
    EXPECT_EQ(registry.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(registry.error().message.find(kFile), std::string::npos) << registry.error().message;
    EXPECT_NE(registry.error().message.find(bad.field), std::string::npos)
        << bad.to << ": " << registry.error().message;
  }
}

TEST(Registry, HistoryIsReadAsStrictlyAsTheRest) {
  Registry registry = whole_registry();
  registry.entries[1].history[0].symbol = "x; }";
  const auto parsed = parse_registry(to_json(registry), kFile);
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("'records[1].history[0].symbol'"), std::string::npos) << parsed.error().message;
}

}  // namespace
}  // namespace pyc::workspace
