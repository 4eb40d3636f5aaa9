#include "workspace/contract.h"

#include <gtest/gtest.h>

#include "tests/workspace/sample_workspace.h"

namespace pyc::workspace {
namespace {

using test::replaced;
using test::sample_contract;

const std::string kFile = "kernels/prototypes/tiled/kernel.json";

// Every field there is.
const std::string kWhole = R"({
  "schema": "pyc.kernel/1",
  "kind": "standard",
  "name": "tiled",
  "dtype": "fp32",
  "layout": "nn",
  "arch": "sm90",
  "shape_family": "square",
  "symbol": "pyc_gemm_tiled",
  "template": {
    "name": "simt_fp32",
    "parameters": {
      "tile_k": 16,
      "tile_m": 128
    }
  },
  "requires": {
    "m_multiple": 1,
    "n_multiple": 4,
    "k_multiple": 8,
    "pointer_alignment": 16,
    "ld_multiple": 4
  },
  "shapes": [
    {
      "m": 1024,
      "n": 1024,
      "k": 1024
    },
    {
      "m": 700,
      "n": 1024,
      "k": 512
    }
  ],
  "tolerance": {
    "absolute": 0.0001,
    "relative": 0.00002
  },
  "workspace": true,
  "runtime": {
    "priority": 200,
    "occupancy_estimate": 0.25,
    "tensor_core": false,
    "shared_memory_bytes": 49152,
    "registers_per_thread": 168,
    "register_pressure": "high"
  }
}
)";

const std::string kLeast =
    R"({"schema": "pyc.kernel/1", "name": "tiled", "dtype": "fp16", "layout": "nt", "arch": "sm89",
  "shape_family": "small", "symbol": "pyc_gemm_tiled", "requires": {"m_multiple": 1, "n_multiple": 1, "k_multiple": 1,
  "pointer_alignment": 2, "ld_multiple": 1}})";

TEST(Contract, ReadsEveryField) {
  const auto contract = parse_contract(kWhole, kFile);
  ASSERT_TRUE(contract) << contract.error().message;
  EXPECT_EQ(contract->selector(), "gemm/fp32/nn/square");
  EXPECT_EQ(contract->symbol, "pyc_gemm_tiled");
  EXPECT_EQ(contract->template_parameters, (std::map<std::string, std::int64_t>{{"tile_m", 128}, {"tile_k", 16}}));
  EXPECT_EQ(contract->requirements.pointer_alignment, 16);
  EXPECT_EQ(contract->requirements.k_multiple, 8);
  EXPECT_EQ(contract->timed_shapes(), (std::vector<evidence::Shape>{{1024, 1024, 1024}, {700, 1024, 512}}));
  EXPECT_EQ(contract->effective_tolerance().relative, 2e-5);
  EXPECT_TRUE(contract->workspace);
  EXPECT_EQ(contract->runtime.priority, 200);
  EXPECT_EQ(contract->runtime.registers_per_thread, 168);
}

TEST(Contract, WritesWhatItReadByteForByte) {
  EXPECT_EQ(to_json(*parse_contract(kWhole, kFile)), replaced(kWhole, "0.00002", "2e-05"));
}

TEST(Contract, DefaultsComeFromFamilyAndDtype) {
  const auto contract = parse_contract(kLeast, kFile);
  ASSERT_TRUE(contract) << contract.error().message;
  EXPECT_EQ(contract->kind, "standard");
  EXPECT_EQ(contract->timed_shapes().size(), 5u);
  EXPECT_EQ(contract->effective_tolerance().absolute, 5e-2);
  EXPECT_FALSE(contract->workspace);
  EXPECT_EQ(contract->runtime.priority, 100);
  EXPECT_EQ(to_json(*parse_contract(to_json(*contract), kFile)), to_json(*contract));
}

std::string imported(const std::string &kind, const std::string &compile_cmd) {
  const std::string legacy = R"("legacy": {"name": "old", "source": "kernels/old.cu", "compile_cmd": ")" + compile_cmd +
                             R"(", "run_cmd": "{build_dir}/{name} 64"}, )";
  return replaced(kLeast, "\"name\":", R"("kind": ")" + kind + R"(", )" + legacy + "\"name\":");
}

TEST(Contract, AnImportedOneKeepsItsOriginAndCommands) {
  const auto contract = parse_contract(imported("imported", "{nvcc} {source}"), kFile);
  ASSERT_TRUE(contract) << contract.error().message;
  EXPECT_TRUE(contract->is_imported());
  ASSERT_TRUE(contract->legacy);
  EXPECT_EQ(contract->legacy->run_cmd, "{build_dir}/{name} 64");
  EXPECT_EQ(to_json(*parse_contract(to_json(*contract), kFile)), to_json(*contract));
  Contract other = *contract;
  other.legacy->run_cmd = "true";
  EXPECT_NE(digest_text(other), digest_text(*contract)) << "what checks it is part of what it is";
}

TEST(Contract, LegacyCommandsAreCheckedAndBelongToImportedOnesAlone) {
  for (const auto &[kind, command] : {std::pair{"standard", "{nvcc}"}, {"imported", "{nvc}"}, {"imported", "x 'y"}}) {
    const auto contract = parse_contract(imported(kind, command), kFile);
    ASSERT_FALSE(contract) << kind << command;
    EXPECT_NE(contract.error().message.find("legacy"), std::string::npos) << contract.error().message;
  }
}

struct Bad {
  const char *from, *to;  // in kWhole
  const char *field;      // that the message names
};

const Bad kBad[] = {
    {"pyc.kernel/1", "pyc.kernel/2", "'schema'"},
    {"\"standard\"", "\"draft\"", "'kind'"},
    {"\"name\": \"tiled\",\n  \"dtype\"", "\"dtype\"", "'name'"},
    {"\"name\": \"tiled\"", "\"name\": 3", "'name'"},
    {"\"name\": \"tiled\"", "\"name\": \"../tiled\"", "'name'"},
    {"\"name\": \"tiled\"", "\"name\": \"Tiled\"", "'name'"},
    {"\"name\": \"tiled\"", "\"name\": \"explain\"", "'name'"},
    {"pyc_gemm_tiled", "x; }", "'symbol'"},
    {"pyc_gemm_tiled", "pyc_gemm_other", "'symbol'"},
    {"pyc_gemm_tiled", "pyc_gemm_tiled\\n", "'symbol'"},
    {"\"fp32\"", "\"fp64\"", "'dtype'"},
    {"\"fp32\"", "null", "'dtype'"},
    {"\"nn\"", "\"nx\"", "'layout'"},
    {"\"sm90\"", "\"sm_90\"", "'arch'"},
    {"\"square\"", "\"round\"", "'shape_family'"},
    {"\"simt_fp32\"", "\"../simt\"", "'template.name'"},
    {"\"tile_k\": 16", "\"tile_k\": \"16\"", "'template.parameters.tile_k'"},
    {"\"tile_k\": 16", "\"tile_k\": 1.5", "'template.parameters.tile_k'"},
    {"\"tile_k\": 16", "\"tile_k\": -1", "'template.parameters.tile_k'"},
    {"\"tile_k\": 16", "\"tile k\": 16", "'template.parameters.tile k'"},
    {"\"m_multiple\": 1", "\"m_multiple\": 0", "'requires.m_multiple'"},
    {"\"m_multiple\": 1", "\"m_multiple\": 1048577", "'requires.m_multiple'"},
    {"\"m_multiple\": 1", "\"m_multiple\": 1e0", "'requires.m_multiple'"},
    {"\"m_multiple\": 1,", "", "'requires.m_multiple'"},
    {"\"pointer_alignment\": 16", "\"pointer_alignment\": 2", "'requires.pointer_alignment'"},
    {"\"pointer_alignment\": 16", "\"pointer_alignment\": 24", "'requires.pointer_alignment'"},
    {"\"pointer_alignment\": 16", "\"pointer_alignment\": 512", "'requires.pointer_alignment'"},
    {"\"ld_multiple\": 4", "\"ld_multiple\": 4, \"align\": 4", "'requires.align'"},
    {"\"m\": 700", "\"m\": 0", "'shapes[1].m'"},
    {"\"m\": 700", "\"m\": 16777217", "'shapes[1].m'"},
    {"\"m\": 700", "\"m\": 700, \"batch\": 2", "'shapes[1].batch'"},
    {"\"m\": 700", "\"m\": 64", "'shapes'"},  // another family
    {"\"m\": 700,\n      \"n\": 1024,\n      \"k\": 512", "\"m\": 1024, \"n\": 1024, \"k\": 1024", "'shapes'"},
    {"\"absolute\": 0.0001", "\"absolute\": -1", "'tolerance.absolute'"},
    {"\"absolute\": 0.0001", "\"absolute\": 1e300", "'tolerance.absolute'"},
    {"\"absolute\": 0.0001,", "", "'tolerance.absolute'"},
    {"\"workspace\": true", "\"workspace\": 1", "'workspace'"},
    {"\"priority\": 200", "\"priority\": 1001", "'runtime.priority'"},
    {"\"priority\": 200", "\"priority\": 99999999999999999999", "'runtime.priority'"},
    {"\"occupancy_estimate\": 0.25", "\"occupancy_estimate\": 1.5", "'runtime.occupancy_estimate'"},
    {"\"tensor_core\": false", "\"tensor_core\": \"no\"", "'runtime.tensor_core'"},
    {"49152", "-1", "'runtime.shared_memory_bytes'"},
    {"168", "256", "'runtime.registers_per_thread'"},
    {"\"register_pressure\": \"high\"", "\"register_pressure\": \"extreme\"", "'runtime.register_pressure'"},
    {"\"layout\": \"nn\"", "\"layout\": \"nn\", \"layuot\": \"nt\"", "'layuot'"},
    {"\"layout\": \"nn\"", "\"layout\": \"nn\", \"layout\": \"nt\"", "'layout'"},
};

TEST(Contract, RefusesBadFieldsByName) {
  for (const Bad &bad : kBad) {
    const auto contract = parse_contract(replaced(kWhole, bad.from, bad.to), kFile);
    ASSERT_FALSE(contract) << bad.to;
    EXPECT_EQ(contract.error().kind, ErrorKind::kInvalid) << bad.to;
    EXPECT_NE(contract.error().message.find(kFile), std::string::npos) << contract.error().message;
    EXPECT_NE(contract.error().message.find(bad.field), std::string::npos)
        << bad.to << ": " << contract.error().message;
  }
}

TEST(Contract, RefusesWhatIsNoDocument) {
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("null"), kWhole + "{}", kWhole.substr(0, kWhole.size() / 2),
        replaced(kWhole, "high", "hi\xff"), std::string(100000, '['), "\xef\xbb\xbf\x01" + kWhole}) {
    const auto contract = parse_contract(text, kFile);
    ASSERT_FALSE(contract) << text.substr(0, 40);
    EXPECT_NE(contract.error().message.find(kFile), std::string::npos) << contract.error().message;
    EXPECT_LT(contract.error().message.size(), 600u);
  }
}

TEST(Contract, RefusesEachMissingField) {
  const char *lines[] = {"  \"schema\": \"pyc.kernel/1\",\n", "  \"dtype\": \"fp32\",\n",
                         "  \"layout\": \"nn\",\n",           "  \"arch\": \"sm90\",\n",
                         "  \"shape_family\": \"square\",\n", "  \"symbol\": \"pyc_gemm_tiled\",\n"};
  for (const char *line : lines) {
    const auto contract = parse_contract(replaced(kWhole, line, ""), kFile);
    ASSERT_FALSE(contract) << line;
    EXPECT_NE(contract.error().message.find("missing"), std::string::npos) << contract.error().message;
  }
}

TEST(Contract, MustStandInTheFolderOfItsName) {
  const test::SampleWorkspace sample;
  sample.write("kernels/prototypes/tiled/kernel.json", kWhole);
  sample.write("kernels/prototypes/copy/kernel.json", kWhole);
  EXPECT_TRUE(read_contract(sample / "kernels/prototypes/tiled", kFile));
  const auto copy = read_contract(sample / "kernels/prototypes/copy", "kernels/prototypes/copy/kernel.json");
  ASSERT_FALSE(copy);
  EXPECT_NE(copy.error().message.find("'name'"), std::string::npos);
  EXPECT_NE(copy.error().message.find("copy"), std::string::npos);
}

TEST(Contract, ABrokenOneIsRefusedWithThePageThatListsTheFields) {
  const test::SampleWorkspace sample;
  for (const std::string &text : {kWhole.substr(0, kWhole.size() / 2), replaced(kWhole, "\"sm90\"", "90")}) {
    sample.write("kernels/prototypes/tiled/kernel.json", text);
    const auto contract = read_contract(sample / "kernels/prototypes/tiled", kFile);
    ASSERT_FALSE(contract);
    EXPECT_NE(contract.error().hint.find("docs/reference/kernel-json.md"), std::string::npos) << contract.error().hint;
  }
}

TEST(Contract, RefusesAFileOfHundredMegabytesWithoutReadingIt) {
  const test::SampleWorkspace sample;
  const auto path = sample.write("kernels/prototypes/tiled/kernel.json", kWhole);
  std::filesystem::resize_file(path, 100u << 20);
  const auto contract = read_contract(path.parent_path(), kFile);
  ASSERT_FALSE(contract);
  EXPECT_EQ(contract.error().kind, ErrorKind::kInvalid);
}

TEST(Contract, AToleranceIsLooseWhereOnePartIsAboveTheDefault) {
  Contract contract = sample_contract("tiled");
  contract.dtype = "fp32", contract.tolerance.reset();
  EXPECT_FALSE(contract.has_loose_tolerance());
  const auto with = [&](double absolute, double relative) {
    contract.tolerance = evidence::Tolerance{absolute, relative};
    return contract.has_loose_tolerance();
  };
  EXPECT_FALSE(with(1e-4, 1e-4));
  EXPECT_FALSE(with(1e-5, 0));
  EXPECT_TRUE(with(1.01e-4, 0));
  EXPECT_TRUE(with(0, 1));
}

TEST(DigestText, LeavesOutWhatValidationMeasures) {
  Contract contract = sample_contract("tiled");
  const std::string before = digest_text(contract);
  contract.runtime.occupancy_estimate = 0.5;
  contract.runtime.registers_per_thread = 128;
  contract.runtime.register_pressure = "medium";
  contract.runtime.shared_memory_bytes = 1024;
  contract.runtime.stack_bytes = contract.runtime.spill_bytes = 8;
  contract.runtime.deterministic = true;
  EXPECT_EQ(digest_text(contract), before);
}

TEST(DigestText, CoversEverythingElse) {
  const Contract contract = sample_contract("tiled");
  std::vector<std::string> texts = {digest_text(contract)};
  const auto changed = [&](auto change) {
    Contract copy = contract;
    change(copy);
    texts.push_back(digest_text(copy));
  };
  changed([](Contract &c) { c.name = "other"; });
  changed([](Contract &c) { c.kind = "imported"; });
  changed([](Contract &c) { c.dtype = "fp16"; });
  changed([](Contract &c) { c.layout = "nt"; });
  changed([](Contract &c) { c.arch = "sm89"; });
  changed([](Contract &c) { c.shape_family = "small"; });
  changed([](Contract &c) { c.symbol = "x"; });
  changed([](Contract &c) { c.template_name = "simt_fp32"; });
  changed([](Contract &c) { c.template_name = "simt_fp32", c.template_parameters["tile_m"] = 16; });
  changed([](Contract &c) { c.requirements.ld_multiple = 4; });
  changed([](Contract &c) { c.shapes = {{1024, 1024, 1024}}; });
  changed([](Contract &c) { c.tolerance = evidence::Tolerance{1e-3, 1e-3}; });
  changed([](Contract &c) { c.workspace = true; });
  changed([](Contract &c) { c.runtime.tensor_core = true; });
  changed([](Contract &c) { c.runtime.priority = 7; });
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::adjacent_find(texts.begin(), texts.end()), texts.end());
}

}  // namespace
}  // namespace pyc::workspace
