#include <csignal>
#include <gtest/gtest.h>

#include "evidence/tuning.h"
#include "tests/cli/scratch.h"

namespace pyc::cli::test {
namespace {

using evidence::DocumentStatus;
using evidence::SetStatus;

constexpr const char *kTemplate = R"({
  "schema": "pyc.template/1", "name": "tiny", "description": "for tests",
  "dtype": ["fp32"], "layouts": ["nn"], "archs": ["sm90"],
  "parameters": [
    {"name": "tile_m", "constant": "kTileM", "default": 64, "minimum": 32, "maximum": 128, "multiple_of": 16,
     "description": "rows of a tile"},
    {"name": "stages", "constant": "kStages", "default": 2, "minimum": 1, "maximum": 3, "multiple_of": 1,
     "description": "buffers"}
  ],
  "rules": [{"rule": "tile_m * stages <= 256", "message": "the stages do not fit"}],
  "requires": {"m_multiple": 1, "n_multiple": 1, "k_multiple": 1, "pointer_alignment": 4, "ld_multiple": 1},
  "workspace": false, "runtime": {"tensor_core": false}
})";

// Seven tiles by three stages, of which tile_m = 96, 112 and 128 with three stages break the rule: 18 sets.
constexpr int kSets = 18;

class TuneVerb : public testing::Test {
 protected:
  TuneVerb() {
    const std::string folder = "kernels/templates/gemm/tiny/";
    scratch_.write(folder + "template.json", kTemplate);
    scratch_.write(folder + "kernel.cu",
                   "#include \"pyc/kernel.h\"\nconstexpr int kTileM = 64;\nconstexpr int kStages = 2;\n"
                   "PYC_KERNEL pyc_status pyc_gemm_tiny(const pyc_gemm_args *, void *);\n");
    scratch_.write(folder + "harness.cu", "#include \"harness.h\"\n// pyc_gemm_tiny\n");
  }

  Outcome tune(const std::vector<std::string> &more = {}) const {
    std::vector<std::string> words = {"hpc",  "tune",    "gemm",           "--name",  "tuned",        "--template",
                                      "tiny", "--shape", "1024x1024x1024", "--shape", "512x4096x4096"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.run(words);
  }

  std::filesystem::path record_path() const {
    for (const auto &entry : std::filesystem::directory_iterator(scratch_ / "kernels/results"))
      if (contains(entry.path().filename(), "tuned-tuning-")) return entry.path();
    return {};
  }
  evidence::Tuning record() const { return value_of(evidence::read_tuning(record_path())); }
  std::string winner_source() const { return pyc::test::slurp(scratch_ / "kernels/prototypes/tuned/kernel.cu"); }

  Scratch scratch_;
};

TEST_F(TuneVerb, WritesTheFastestSetAsACandidateAndPrintsItsFolder) {
  const Outcome run = tune();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.line(), "kernels/prototypes/tuned");
  EXPECT_TRUE(contains(winner_source(), "constexpr int kTileM = 96;")) << winner_source();
  EXPECT_TRUE(contains(winner_source(), "pyc_gemm_tuned("));
  EXPECT_TRUE(contains(run.errors, "tile_m=96")) << run.errors;
  const evidence::Tuning tuning = record();
  EXPECT_EQ(tuning.status, DocumentStatus::kCompleted);
  EXPECT_EQ(tuning.sets.size(), static_cast<std::size_t>(kSets));
  ASSERT_TRUE(tuning.winner);
  EXPECT_EQ(tuning.winner->candidate, "kernels/prototypes/tuned");
  EXPECT_TRUE(tuning.gpu);
  EXPECT_EQ(tuning.rounds.back().number, 0) << "the best few were timed afresh";
}

TEST_F(TuneVerb, TheWinnerIsReadyForTheRestOfThePath) {
  ASSERT_EQ(tune({"--budget", "4"}).exit_code, 0);
  EXPECT_EQ(scratch_.run({"hpc", "validate", "--name", "tuned"}).exit_code, 0);
  EXPECT_EQ(scratch_.run({"hpc", "bench", "--name", "tuned"}).exit_code, 0);
}

TEST_F(TuneVerb, EachSetIsCompiledOnceAndWithoutAHarnessOfItsOwn) {
  ASSERT_EQ(tune({"--budget", "5"}).exit_code, 0);
  const std::string log = pyc::test::slurp(scratch_ / "nvcc.log");
  std::size_t objects = 0, libraries = 0;
  for (std::size_t at = log.find("/kernel.o"); at != log.npos; at = log.find("/kernel.o", at + 1)) ++objects;
  for (std::size_t at = log.find("/kernel.so"); at != log.npos; at = log.find("/kernel.so", at + 1)) ++libraries;
  EXPECT_EQ(objects, 5u);
  EXPECT_EQ(libraries, 5u);
}

TEST_F(TuneVerb, KeepsEverySetThatFailedWithItsReason) {
  scratch_.set("PYC_FAKE_WRONG_TILE", "96");
  scratch_.set("PYC_FAKE_CRASHING_TILE", "112");
  const Outcome run = tune();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(winner_source(), "kTileM = 80;")) << "the fastest that is right: " << winner_source();
  for (const evidence::TunedSet &set : record().sets) {
    const std::int64_t tile = set.parameters.at("tile_m");
    EXPECT_EQ(set.status == SetStatus::kValid, tile != 96 && tile != 112) << tile << ": " << set.reason;
    const std::string expected = tile == 96 ? "one term is missing" : tile == 112 ? "signal 11" : "";
    EXPECT_TRUE(contains(set.reason, expected)) << set.reason;
  }
}

TEST_F(TuneVerb, SetsThatSpillMoreThanTheDefaultsAreOutUnlessTheyAreAskedFor) {
  scratch_.set("PYC_FAKE_SPILL", "16");
  scratch_.set("PYC_FAKE_SPILLING_TILE", "96");
  const Outcome run = tune();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "16 bytes of registers spill")) << run.errors;
  EXPECT_TRUE(contains(winner_source(), "kTileM = 80;")) << winner_source();
  std::filesystem::remove_all(scratch_ / "kernels/prototypes/tuned");
  EXPECT_EQ(tune({"--keep-spills"}).exit_code, 0);
  EXPECT_TRUE(contains(winner_source(), "kTileM = 96;")) << winner_source();
}

TEST_F(TuneVerb, ATemplateThatAlwaysSpillsIsSearchedAllTheSame) {
  scratch_.set("PYC_FAKE_SPILL", "16");
  const Outcome run = tune();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(winner_source(), "kTileM = 96;")) << winner_source();
}

TEST_F(TuneVerb, WhereTheDefaultsAreExcludedTheyStillSayWhatMaySpill) {
  scratch_.set("PYC_FAKE_SPILL", "16");
  const Outcome run = tune({"--set", "tile_m=80,96"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(winner_source(), "kTileM = 96;")) << winner_source();
}

TEST_F(TuneVerb, AFullDiskIsNoVerdictOnASet) {
  scratch_.set("PYC_FAKE_NVCC_ERROR", "fatal error: error writing to kernel.o: No space left on device");
  const Outcome stopped = tune({"--budget", "5"});
  EXPECT_EQ(stopped.exit_code, 2) << stopped.errors;
  EXPECT_TRUE(contains(stopped.errors, "disk is full")) << stopped.errors;
  for (const evidence::TunedSet &set : record().sets) EXPECT_EQ(set.status, SetStatus::kPlanned) << set.reason;
  scratch_.set("PYC_FAKE_NVCC_ERROR", "");
  EXPECT_EQ(tune({"--budget", "5"}).exit_code, 0) << "it goes on once there is room";
}

TEST_F(TuneVerb, DefaultsThatAFullDiskKeptFromCompilingPutNoSetOutThatSpills) {
  scratch_.set("PYC_FAKE_SPILL", "16");
  scratch_.set("PYC_FAKE_NVCC_ERROR", "fatal error: error writing to kernel.o: No space left on device");
  scratch_.set("PYC_FAKE_NVCC_ERROR_TILE", "64");
  const Outcome stopped = tune({"--set", "tile_m=80,96"});
  EXPECT_EQ(stopped.exit_code, 2) << stopped.errors;
  for (const evidence::TunedSet &set : record().sets) EXPECT_EQ(set.status, SetStatus::kPlanned) << set.reason;
}

TEST_F(TuneVerb, ABaselineThatCrashesTakesNoOtherSetAlong) {
  scratch_.set("PYC_FAKE_CRASHING_TILE", "64");
  const Outcome run = tune();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(winner_source(), "kTileM = 96;")) << winner_source();
  for (const evidence::TunedSet &set : record().sets)
    EXPECT_EQ(set.status == SetStatus::kValid, set.parameters.at("tile_m") != 64) << set.number << ": " << set.reason;
}

TEST_F(TuneVerb, ASetThatDoesNotCompileIsKeptWithTheCompilersWord) {
  scratch_.write("kernels/templates/gemm/tiny/kernel.cu",
                 "constexpr int kTileM = 64;\nconstexpr int kStages = 2;\n#error no such tile\n// pyc_gemm_tiny\n");
  const Outcome run = tune({"--budget", "3"});
  EXPECT_EQ(run.exit_code, 1) << run.errors;
  EXPECT_TRUE(contains(run.errors, "no such tile")) << run.errors;
  for (const evidence::TunedSet &set : record().sets) EXPECT_EQ(set.status, SetStatus::kNotCompiled);
}

TEST_F(TuneVerb, ASetThatReachesBeyondItsCallIsUnfit) {
  scratch_.set("PYC_FAKE_SYMBOL", "cudaStreamCreate U");
  EXPECT_EQ(tune({"--budget", "2"}).exit_code, 1);
  for (const evidence::TunedSet &set : record().sets) {
    EXPECT_EQ(set.status, SetStatus::kUnfit);
    EXPECT_TRUE(contains(set.reason, "cudaStreamCreate")) << set.reason;
  }
}

TEST_F(TuneVerb, AnExhaustiveSearchTimesEverySetAsAFinalist) {
  const Outcome run = tune({"--exhaustive"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const evidence::Tuning tuning = record();
  ASSERT_EQ(tuning.rounds.size(), 1u);
  std::size_t timed = 0;
  for (const evidence::TuningRun &one : tuning.rounds[0].runs) timed += one.shapes[0].arms.size();
  EXPECT_EQ(timed, static_cast<std::size_t>(kSets) - 1) << "all but the baseline";
}

TEST_F(TuneVerb, WithoutAGpuTheSetsAreCompiledAndNoMore) {
  scratch_.set("CUDA_VISIBLE_DEVICES", "");
  const Outcome run = tune({"--budget", "4"});
  EXPECT_EQ(run.exit_code, 3) << run.errors;
  EXPECT_TRUE(contains(run.errors, "compiled and not timed")) << run.errors;
  EXPECT_TRUE(run.output.empty());
  const evidence::Tuning tuning = record();
  EXPECT_EQ(tuning.status, DocumentStatus::kPlanned);
  for (const evidence::TunedSet &set : tuning.sets) EXPECT_EQ(set.status, SetStatus::kCompiled);
  EXPECT_EQ(scratch_.entries("kernels/prototypes"), 0);
}

TEST_F(TuneVerb, WithAGpuItGoesOnFromWhatWasCompiledWithoutOne) {
  scratch_.set("CUDA_VISIBLE_DEVICES", "");
  ASSERT_EQ(tune().exit_code, 3);
  const int compiled = scratch_.compilations();
  scratch_.set("CUDA_VISIBLE_DEVICES", "0");
  const Outcome run = tune();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const std::string log = pyc::test::slurp(scratch_ / "nvcc.log");
  std::size_t again = 0;
  for (std::size_t at = log.find("/kernel.o"); at != log.npos; at = log.find("/kernel.o", at + 1)) ++again;
  EXPECT_EQ(again, static_cast<std::size_t>(kSets)) << "of " << compiled;
}

TEST_F(TuneVerb, WithoutACompilerTheSetsAreListed) {
  const Outcome run = tune({"--budget", "10", "--nvcc", "/nonexistent/nvcc"});
  EXPECT_EQ(run.exit_code, 3) << run.errors;
  EXPECT_TRUE(contains(run.errors, "nvcc")) << run.errors;
  EXPECT_EQ(record().sets.size(), 6u) << "the six tenths that cover: the rest depends on times";
}

TEST_F(TuneVerb, ADryRunListsTheSetsAndNeedsNothing) {
  scratch_.set("PATH", "/nonexistent");
  const Outcome run = tune({"--dry-run"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "18 of 18 sets")) << run.errors;
  EXPECT_EQ(scratch_.compilations(), 0);
  EXPECT_EQ(record().status, DocumentStatus::kPlanned);
}

TEST_F(TuneVerb, ADryRunWithABudgetOfTimeSaysThatNoSetIsChosenYet) {
  const Outcome run = tune({"--dry-run", "--budget", "1m"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "0 of 18 sets: none tried yet")) << run.errors;
}

TEST_F(TuneVerb, AnInterruptedSearchGoesOnWhereItWas) {
  scratch_.set("PYC_FAKE_NVCC_MARK", (scratch_ / "compiling").string());
  // The first run compiles for a minute and is interrupted as soon as it has begun.
  const Outcome stopped = scratch_.shell(
      "\"$PYC\" hpc tune gemm --name tuned --template tiny --shape 1024x1024x1024 --shape 512x4096x4096 & "
      "while [ ! -e compiling ]; do sleep 0.1; done; kill -INT $!; wait $!");
  EXPECT_EQ(stopped.exit_code, 130) << stopped.errors;
  const evidence::Tuning between = record();
  EXPECT_EQ(between.status, DocumentStatus::kError);
  EXPECT_TRUE(contains(between.error, "interrupted")) << between.error;
  EXPECT_TRUE(contains(stopped.errors, "goes on where it was")) << stopped.errors;
  scratch_.set("PYC_FAKE_NVCC_MARK", "");
  const Outcome run = tune();
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(record().created_utc, between.created_utc) << "the same record";
  EXPECT_EQ(record().sets.size(), static_cast<std::size_t>(kSets));
}

TEST_F(TuneVerb, ALargerBudgetAddsToTheSameSearch) {
  ASSERT_EQ(tune({"--budget", "4"}).exit_code, 0);
  const evidence::Tuning before = record();
  std::filesystem::remove_all(scratch_ / "kernels/prototypes/tuned");
  ASSERT_EQ(tune({"--budget", "10"}).exit_code, 0);
  const evidence::Tuning after = record();
  ASSERT_EQ(after.sets.size(), 10u);
  for (std::size_t i = 0; i < before.sets.size(); ++i) EXPECT_EQ(after.sets[i].parameters, before.sets[i].parameters);
  EXPECT_GT(after.elapsed_ns, before.elapsed_ns);
}

TEST_F(TuneVerb, OutOfTimeTheBestSoFarAreTheFinalists) {
  ASSERT_EQ(tune().exit_code, 0);
  std::filesystem::remove_all(scratch_ / "kernels/prototypes/tuned");
  evidence::Tuning before = record();
  before.elapsed_ns = 2'000'000'000;  // more than the second that it may take now, however fast the machine is
  std::erase_if(before.rounds, [](const auto &round) { return round.number == 0; });  // stopped in the final
  scratch_.write("kernels/results/" + record_path().filename().string(), to_json(before));
  ASSERT_EQ(tune({"--budget", "1s"}).exit_code, 0);
  EXPECT_TRUE(contains(winner_source(), "kTileM = 96;")) << winner_source();
  const evidence::Tuning after = record();
  std::size_t fastest = 0;
  for (const evidence::TunedArm &arm : after.rounds.back().runs.at(0).shapes.at(0).arms)
    fastest += after.sets.at(static_cast<std::size_t>(arm.set)).parameters.at("tile_m") == 96 ? 1 : 0;
  EXPECT_EQ(fastest, 2u) << "both sets of that tile, wherever they stand in the list";
}

TEST_F(TuneVerb, SamplesOfTheOtherGpuOfTheMachineAreTakenAgain) {
  scratch_.set("PYC_FAKE_SECOND_GPU", "1");
  ASSERT_EQ(tune({"--budget", "2"}).exit_code, 0);
  std::filesystem::remove_all(scratch_ / "kernels/prototypes/tuned");
  evidence::Tuning other = record();
  ASSERT_TRUE(other.gpu);
  other.gpu->uuid = "GPU-00000000-0000-0000-0000-000000000002";
  scratch_.write("kernels/results/" + record_path().filename().string(), to_json(other));
  const Outcome run = tune({"--budget", "2"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "timed on another GPU")) << run.errors;
  EXPECT_TRUE(record().gpu && record().gpu->uuid.ends_with("1")) << "the one that the harness takes";
}

TEST_F(TuneVerb, ADamagedRecordIsRefusedUntilItIsToldToRestart) {
  ASSERT_EQ(tune({"--budget", "2", "--dry-run"}).exit_code, 0);
  const std::filesystem::path path = record_path();
  const std::string text = pyc::test::slurp(path);
  scratch_.write("kernels/results/" + path.filename().string(), text.substr(0, text.size() / 2));
  const Outcome refused = tune({"--budget", "2"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.errors, path.filename())) << refused.errors;
  EXPECT_TRUE(contains(refused.errors, "--restart")) << refused.errors;
  EXPECT_EQ(pyc::test::slurp(path).size(), text.size() / 2) << "nothing was touched";
  EXPECT_EQ(tune({"--budget", "2", "--restart"}).exit_code, 0);
}

TEST_F(TuneVerb, BadInputIsRefusedBeforeAnythingIsWritten) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--budget", "lots"}, "--budget 'lots'"},
      {{"--set", "tile_n=3"}, "tile_m"},
      {{"--set", "tile_m=33"}, "33"},
      {{"--set", "tile_m=32,"}, "--set tile_m"},
      {{"--set", "tile_m"}, "KEY=VALUE"},
      {{"--set", "tile_m=128", "--set", "stages=3"}, "no set of parameters"},
      {{"--set", "stages=1", "--set", "stages=2"}, "twice"},
      {{"--dtype", "fp16"}, "fp16"},
      {{"--jobs", "0"}, "--jobs"},
      {{"--shape", "1x2"}, "1x2"},
  };
  for (const auto &[words, expected] : cases) {
    const Outcome run = tune(words);
    EXPECT_EQ(run.exit_code, 2) << run.errors;
    EXPECT_TRUE(contains(run.errors, expected)) << run.errors;
  }
  EXPECT_TRUE(contains(scratch_.run({"hpc", "tune", "gemm", "--name", "t", "--template", "tinny"}).errors, "tiny"));
  EXPECT_EQ(scratch_.entries("kernels/results"), 0);
}

TEST_F(TuneVerb, ANameThatExistsIsRefused) {
  scratch_.create("tuned");
  const Outcome run = tune();
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.errors, "'tuned' exists already")) << run.errors;
}

TEST_F(TuneVerb, JsonIsOneDocumentWithTheRecordInIt) {
  const Outcome run = tune({"--budget", "3", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "\"schema\": \"pyc.tuning/1\"")) << run.output;
  EXPECT_TRUE(contains(run.output, "\"winner\": \"")) << run.output;
  EXPECT_EQ(run.output.front(), '{');
}

TEST_F(TuneVerb, TheSameSeedTriesTheSameSetsInTheSameOrder) {
  ASSERT_EQ(tune({"--budget", "8", "--dry-run"}).exit_code, 0);
  const evidence::Tuning one = record();
  ASSERT_EQ(tune({"--budget", "8", "--dry-run", "--restart"}).exit_code, 0);
  const evidence::Tuning other = record();
  ASSERT_EQ(one.sets.size(), other.sets.size());
  for (std::size_t i = 0; i < one.sets.size(); ++i) EXPECT_EQ(one.sets[i].parameters, other.sets[i].parameters);
}

}  // namespace
}  // namespace pyc::cli::test
