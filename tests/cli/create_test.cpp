#include <gtest/gtest.h>

#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

TEST(CreateVerb, TheFirstCandidateOfTheReadmeIsThreeFiles) {
  const Scratch scratch;
  const Outcome run = scratch.run({"hpc", "create", "gemm", "--name", "tiled_fp32_v1", "--arch", "sm89",
                                   "--shape-family", "square", "--tile-m", "16", "--tile-n", "16", "--tile-k", "16"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line(), "kernels/prototypes/tiled_fp32_v1");
  EXPECT_EQ(scratch.entries("kernels/prototypes/tiled_fp32_v1"), 3);
  const std::string source = pyc::test::slurp(scratch / "kernels/prototypes/tiled_fp32_v1/kernel.cu");
  EXPECT_TRUE(contains(source, "pyc_gemm_tiled_fp32_v1"));
  EXPECT_TRUE(contains(source, "kTileM = 16"));
}

TEST(CreateVerb, FromACandidateItCopiesTheSourcesUnderTheNewSymbol) {
  const Scratch scratch;
  scratch.create("old");
  scratch.write("kernels/prototypes/old/kernel.cu",
                "#include \"mine.h\"\nint pyc_gemm_old; int pyc_gemm_older; int pyc_gemm_old_workspace;\n");
  scratch.write("kernels/prototypes/old/mine.h", "int mine;\n");
  const Outcome run =
      scratch.run({"hpc", "create", "gemm", "--name", "fresh", "--from", "old", "--shape-family", "small"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(pyc::test::slurp(scratch / "kernels/prototypes/fresh/kernel.cu"),
            "#include \"mine.h\"\nint pyc_gemm_fresh; int pyc_gemm_older; int pyc_gemm_fresh_workspace;\n");
  EXPECT_EQ(pyc::test::slurp(scratch / "kernels/prototypes/fresh/mine.h"), "int mine;\n");
  EXPECT_TRUE(contains(scratch.run({"hpc", "show", "fresh"}).output, "gemm/fp32/nn/small"));
}

TEST(CreateVerb, FromACandidateWithASubfolderIsRefusedRatherThanCopiedInPart) {
  const Scratch scratch;
  scratch.create("old");
  scratch.write("kernels/prototypes/old/kernel.cu", "#include \"sub/mine.h\"\nint pyc_gemm_old;\n");
  scratch.write("kernels/prototypes/old/sub/mine.h", "int mine;\n");
  const Outcome run = scratch.run({"hpc", "create", "gemm", "--name", "fresh", "--from", "old"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "'sub/mine.h'")) << run.errors;
  EXPECT_EQ(scratch.entries("kernels/prototypes"), 1);
}

TEST(CreateVerb, SetReachesEveryParameterOfTheTemplate) {
  const Scratch scratch;
  const Outcome run = scratch.run({"hpc", "create", "gemm", "--name", "x", "--set", "stages=2", "--set", "tile_k=16"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(scratch.run({"hpc", "show", "x"}).output, "stages=2"));
}

struct Refusal {
  std::vector<std::string> words;
  std::string error;
};
class Refusals : public testing::TestWithParam<Refusal> {};

TEST_P(Refusals, ChangeNothing) {
  const Scratch scratch;
  scratch.create("taken");
  std::vector<std::string> words = {"hpc", "create", "gemm"};
  words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
  const Outcome run = scratch.run(words);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_TRUE(contains(run.errors, GetParam().error)) << run.errors;
  EXPECT_EQ(scratch.entries("kernels/prototypes"), 1);
}

INSTANTIATE_TEST_SUITE_P(
    CreateVerb, Refusals,
    testing::Values(Refusal{{"--name", "../x"}, "'../x'"}, Refusal{{"--name", "a/b"}, "'a/b'"},
                    Refusal{{"--name", "Upper"}, "'Upper'"}, Refusal{{"--name", std::string(200, 'a')}, "aaaa"},
                    Refusal{{"--name", ""}, "--name"}, Refusal{{"--name", "taken"}, "'taken' exists already"},
                    Refusal{{"--name", "x", "--arch", "sm80"}, "did you mean 'sm89' or 'sm90'?"},
                    Refusal{{"--name", "x", "--dtype", "fp64"}, "'fp64'"},
                    Refusal{{"--name", "x", "--dtype", "fp16"}, "simt_fp32 offers dtype fp32"},
                    Refusal{{"--name", "x", "--dtype", "bf16", "--layout", "tn"}, "simt_fp32 offers"},
                    Refusal{{"--name", "x", "--layout", "xy"}, "'xy'"},
                    Refusal{{"--name", "x", "--shape-family", "squre"}, "did you mean 'square'?"},
                    Refusal{{"--name", "x", "--template", "simt_fp31"}, "'simt_fp31'"},
                    Refusal{{"--name", "x", "--tile-m", "0"}, "tile_m"},
                    Refusal{{"--name", "x", "--tile-m", "-16"}, "tile_m"},
                    Refusal{{"--name", "x", "--tile-n", "1000000000"}, "tile_n"},
                    Refusal{{"--name", "x", "--tile-n", "99999999999999999999"}, "99999999999999999999"},
                    Refusal{{"--name", "x", "--tile-k", "1e9"}, "in decimal digits"},
                    Refusal{{"--name", "x", "--set", "bogus=1"}, "'bogus'"},
                    Refusal{{"--name", "x", "--set", "stages"}, "KEY=VALUE"},
                    Refusal{{"--name", "x", "--tile-m", "16", "--set", "tile_m=32"}, "given twice"},
                    Refusal{{"--name", "x", "--from", "takn"}, "did you mean 'taken'?"},
                    Refusal{{"--name", "x", "--from", "taken", "--tile-m", "16"}, "--from"},
                    Refusal{{"--name", "x", "--from", "taken", "--dtype", "fp16"}, "'taken' is fp32"}));

// More templates come; what was typed yesterday still makes the same candidate.
TEST(CreateVerb, WithoutATemplateItTakesTheDefaultOneOrOneThatHasTheParameters) {
  const Scratch scratch;
  const auto contract = [&](const std::string &name) {
    return pyc::test::slurp(scratch / ("kernels/prototypes/" + name + "/kernel.json"));
  };
  ASSERT_EQ(scratch.run({"hpc", "create", "gemm", "--name", "tiled", "--tile-m", "16", "--tile-n", "16"}).exit_code, 0);
  scratch.create("plain");
  for (const char *name : {"tiled", "plain"}) EXPECT_TRUE(contains(contract(name), "\"simt_fp32\"")) << contract(name);
  const Outcome other = scratch.run({"hpc", "create", "gemm", "--name", "other", "--set", "max_split=1"});
  EXPECT_EQ(other.exit_code, 0) << other.errors;
  EXPECT_FALSE(contains(contract("other"), "\"simt_fp32\"")) << contract("other");
}

}  // namespace
}  // namespace pyc::cli::test
