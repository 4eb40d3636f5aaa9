#include "hpc/tune_rounds.h"

#include <cmath>
#include <gtest/gtest.h>

#include "hpc/tune_summary.h"

namespace pyc::hpc {
namespace {

using evidence::SetStatus;
using evidence::Tuning;
using evidence::TuningRound;

evidence::TunedShape shape_of(evidence::Shape shape, std::vector<double> baseline,
                              std::vector<evidence::TunedArm> arms) {
  return {shape, std::move(baseline), std::move(arms), {}, ""};
}

// Three valid sets, set 0 the baseline; set 1 twice as fast at one shape and as fast at the other, set 2 slower.
Tuning timed() {
  Tuning tuning;
  for (int i = 0; i < 3; ++i) {
    evidence::TunedSet &set = tuning.sets.emplace_back();
    set.number = i;
    set.parameters = {{"tile", 1 << i}, {"fixed", 5}};
    set.status = SetStatus::kValid;
  }
  tuning.levels = {{"tile", {1, 2, 4}}, {"fixed", {5}}};
  tuning.shapes = {{64, 64, 64}, {128, 128, 128}};
  tuning.rounds = {{1,
                    2,
                    {{1,
                      {shape_of({64, 64, 64}, {200, 220}, {{1, {100, 110}}, {2, {400, 440}}}),
                       shape_of({128, 128, 128}, {300, 300}, {{1, {300, 300}}, {2, {300, 300}}})}}}}};
  return tuning;
}

TEST(TuneRounds, AScoreIsTheGeometricMeanOfTheShapesPairedMedians) {
  const Tuning tuning = timed();
  const auto all = scores(tuning, tuning.rounds[0], {0, 1, 2});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_DOUBLE_EQ(all[0].ratio, 1.0) << "the baseline against itself";
  EXPECT_NEAR(all[1].ratio, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(all[2].ratio, std::sqrt(0.5), 1e-12);
}

TEST(TuneRounds, ASetThatMissesAShapeHasNoScore) {
  Tuning tuning = timed();
  tuning.rounds[0].runs[0].shapes[1].arms.pop_back();
  EXPECT_EQ(scores(tuning, tuning.rounds[0], {0, 1, 2}).size(), 2u);
}

TEST(TuneRounds, SetsOfTwoProcessesAreComparedThroughTheBaseline) {
  Tuning tuning = timed();
  // The clock of the second process is half as high: everything takes twice as long.
  for (auto &shape : tuning.rounds[0].runs[0].shapes) shape.arms.pop_back();
  tuning.rounds[0].runs.push_back({2,
                                   {shape_of({64, 64, 64}, {400, 440}, {{2, {200, 220}}}),
                                    shape_of({128, 128, 128}, {600, 600}, {{2, {600, 600}}})}});
  const auto all = scores(tuning, tuning.rounds[0], {1, 2});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all[0].ratio, all[1].ratio, 1e-12);
}

TEST(TuneRounds, TheFirstRoundLeavesOutLongProblemsIfOthersAreLeft) {
  const std::vector<evidence::Shape> shapes = {{2048, 2048, 2048}, {8192, 8192, 8192}};
  EXPECT_EQ(shapes_of_round(shapes, 1).size(), 1u);
  EXPECT_EQ(shapes_of_round(shapes, 2).size(), 2u);
  EXPECT_EQ(shapes_of_round(shapes, kFinalRound).size(), 2u);
  EXPECT_EQ(shapes_of_round({{8192, 8192, 8192}}, 1).size(), 1u);
}

TEST(TuneRounds, TheSetsThatCameFurthestStandFirstAndTheBaselineWhereItsSpeedPutsIt) {
  Tuning tuning = timed();
  EXPECT_EQ(furthest_first(tuning, {0, 1, 2}), (std::vector<int>{1, 0, 2})) << "by speed";
  TuningRound second = tuning.rounds[0];
  second.number = 2;
  for (auto &shape : second.runs[0].shapes) std::erase_if(shape.arms, [](const auto &arm) { return arm.set == 1; });
  tuning.rounds.push_back(second);
  EXPECT_EQ(furthest_first(tuning, {0, 1, 2}), (std::vector<int>{2, 1, 0})) << "set 2 alone was timed twice";
  tuning.rounds.clear();
  EXPECT_EQ(furthest_first(tuning, {2, 0, 1}), (std::vector<int>{2, 0, 1}));
}

TEST(TuneRounds, OnlySetsOfOneFinalHaveAnInterval) {
  Tuning tuning = timed();
  EXPECT_FALSE(final_ratio(tuning, 0, 1)) << "there was no final";
  tuning.rounds[0].number = kFinalRound;
  const auto interval = final_ratio(tuning, 0, 1);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->estimate, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(final_ratio(tuning, 2, 1)->estimate, 2.0, 1e-12) << "beside another finalist";
  EXPECT_FALSE(final_ratio(tuning, std::nullopt, 1)) << "cuBLASLt was not there";
  for (auto &shape : tuning.rounds[0].runs[0].shapes) shape.cublaslt_ns = std::vector<double>{600, 600};
  EXPECT_NEAR(final_ratio(tuning, std::nullopt, 1)->estimate, std::sqrt(2.0 * 600 / 105), 0.2);
}

TEST(TuneSummary, RanksFinalistsBeforeSetsThatWereDropped) {
  Tuning tuning = timed();
  TuningRound final = tuning.rounds[0];
  final.number = kFinalRound;
  for (auto &shape : final.runs[0].shapes) std::erase_if(shape.arms, [](const auto &arm) { return arm.set == 1; });
  tuning.rounds.push_back(final);
  const auto rows = ranked_sets(tuning);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].set, 0);
  EXPECT_EQ(rows[1].set, 2);
  EXPECT_EQ(rows[2].set, 1) << "faster in round 1, but dropped";
  EXPECT_TRUE(rows[0].final_ratio && rows[1].final_ratio);
  EXPECT_FALSE(rows[2].final_ratio);
  EXPECT_EQ(rows[0].parameters, "tile=1") << "a parameter with one value tells nothing";
}

TEST(TuneSummary, CountsWhatBecameOfTheSetsAndWhy) {
  Tuning tuning = timed();
  for (int i = 0; i < 3; ++i) {
    tuning.sets[static_cast<std::size_t>(i)].status = i == 0 ? SetStatus::kValid : SetStatus::kUnfit;
    if (i > 0) tuning.sets[static_cast<std::size_t>(i)].reason = "it spills";
  }
  EXPECT_EQ(count_statuses(tuning), "1 valid, 2 unfit");
  EXPECT_EQ(frequent_reasons(tuning, 3), (std::vector<std::string>{"2 sets: it spills"}));
}

TEST(TuneSummary, CompilationsFromTheCacheSayNothingOfTheTime) {
  Tuning tuning = timed();
  EXPECT_FALSE(compile_times(tuning));
  tuning.sets[0].build = evidence::SetBuild{2'000'000'000, false, 64, 0, 0};
  tuning.sets[1].build = evidence::SetBuild{1'000'000, true, 64, 0, 0};
  const auto times = compile_times(tuning);
  ASSERT_TRUE(times);
  EXPECT_EQ(times->sets, 1);
  EXPECT_DOUBLE_EQ(times->median_s, 2.0);
}

}  // namespace
}  // namespace pyc::hpc
