#include "evidence/tuning.h"

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"

namespace pyc::evidence {
namespace {

using pyc::test::TemporaryFolder;

Tuning sample() {
  Tuning tuning;
  tuning.status = DocumentStatus::kCompleted;
  tuning.key = std::string(64, 'a');
  tuning.tool = {"0.1.0", "abc"};
  tuning.created_utc = "2026-01-31T12:34:56.789Z";
  tuning.updated_utc = "2026-01-31T12:35:56.789Z";
  tuning.command = {"pyc", "hpc", "tune", "gemm"};
  tuning.name = "tuned";
  tuning.template_name = "simt_fp32";
  tuning.selector = "gemm/fp32/nn/square";
  tuning.arch = "sm90";
  tuning.levels = {{"tile_m", {64, 128}}, {"stages", {2, 3, 4}}};
  tuning.space_sets = 6;
  tuning.seed = 7;
  tuning.budget = "200 tries";
  tuning.shapes = {{1024, 1024, 1024}};
  tuning.toolchain = {"/usr/local/cuda/bin/nvcc", "13.0.88", "g++ 12", {"-O3"}};
  tuning.host = {"host", "Linux", "6.1", "cpu", 16};
  Gpu gpu;
  gpu.name = "NVIDIA H200";
  gpu.uuid = "GPU-1";
  gpu.compute_capability = "9.0";
  tuning.gpu = gpu;
  tuning.elapsed_ns = 12345;
  TunedSet good{0,
                {{"tile_m", 64}, {"stages", 2}},
                "default",
                SetStatus::kValid,
                "",
                SetBuild{1000, false, 96, 1024, 0},
                SetLaunch{0.25, 96, 3072}};
  TunedSet bad{
      1, {{"tile_m", 128}, {"stages", 4}}, "near 0", SetStatus::kWrong, "random at 64x64x64: the element rule", {}, {}};
  tuning.sets = {good, bad};
  tuning.rounds = {
      {1, 4, {{9, {{{1024, 1024, 1024}, {20000.5, 20001}, {{1, {10000, 10001}}}, {}, ""}}}}},
      {0, 50, {{10, {{{1024, 1024, 1024}, {20000}, {{1, {10000}}}, std::vector<double>{15000}, "algorithm 7"}}}}}};
  tuning.winner = TunedWinner{0, "kernels/prototypes/tuned"};
  return tuning;
}

Result<Tuning> read_text(const std::string &text) {
  const TemporaryFolder folder;
  return read_tuning(folder.write("tuned-tuning-aaaa.json", text));
}

TEST(Tuning, ReadsBackWhatWasWritten) {
  const auto read = read_text(to_json(sample()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(sample())) << "every field";
  EXPECT_EQ(read->sets[1].reason, "random at 64x64x64: the element rule");
  EXPECT_EQ(read->rounds[1].runs[0].shapes[0].cublaslt_ns, std::vector<double>{15000});
}

TEST(Tuning, ASearchThatHasJustBegunIsReadBackToo) {
  const auto read = read_text(to_json(Tuning{}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->gpu);
  EXPECT_FALSE(read->winner);
}

TEST(Tuning, ADamagedFileIsRefusedByName) {
  const std::string text = to_json(sample());
  for (const std::string &bad : {text.substr(0, text.size() / 2), std::string("{}"), std::string("not json"),
                                 std::string(text).replace(text.find("20000.5"), 7, "10000.5")}) {
    const auto read = read_text(bad);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(read.error().message.find("tuned-tuning-aaaa.json"), std::string::npos) << read.error().message;
  }
}

TEST(Tuning, ANumberOfNoSetIsRefused) {
  Tuning tuning = sample();
  tuning.rounds[0].runs[0].shapes[0].arms[0].set = 2;
  EXPECT_FALSE(read_text(to_json(tuning)));
  tuning = sample();
  tuning.winner->set = 9;
  EXPECT_FALSE(read_text(to_json(tuning)));
  tuning = sample();
  tuning.baseline = 2;
  EXPECT_FALSE(read_text(to_json(tuning)));
  tuning = sample();
  tuning.sets[1].number = 5;
  EXPECT_FALSE(read_text(to_json(tuning)));
}

TEST(Tuning, TheFileIsNamedByCandidateAndKey) {
  EXPECT_EQ(tuning_file_name("tuned", "0123456789abcdef0123"), "tuned-tuning-0123456789abcdef.json");
}

}  // namespace
}  // namespace pyc::evidence
