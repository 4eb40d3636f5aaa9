#include "hpc/tune_budget.h"

#include <gtest/gtest.h>

namespace pyc::hpc {
namespace {

using namespace std::chrono_literals;

TEST(TuneBudget, IsANumberOfTriesOrATime) {
  EXPECT_EQ(parse_budget("200")->tries, 200);
  EXPECT_EQ(parse_budget("200 tries")->tries, 200);
  EXPECT_EQ(parse_budget(" 1 try ")->tries, 1);
  EXPECT_EQ(parse_budget("90s")->time, 90s);
  EXPECT_EQ(parse_budget("10m")->time, 600s);
  EXPECT_EQ(parse_budget("10 MIN")->time, 600s);
  EXPECT_EQ(parse_budget("1.5h")->time, 5400s);
  EXPECT_FALSE(parse_budget("10m")->tries);
}

TEST(TuneBudget, AnythingElseIsRefusedWithExamples) {
  for (const char *bad : {"", "m", "ten", "0", "-5", "1.5", "0s", "0.5 s", "10x", "10m5s", "1e9", "nan", "inf", "200 h",
                          "1000000", "99999999999999999999", "10\xff"}) {
    const auto refused = parse_budget(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(refused.error().hint.find("10m"), std::string::npos);
  }
}

TEST(TuneBudget, OutOfRangeIsToldApartFromNoBudget) {
  for (const char *bad : {"0", "1.5", "1000000", "0.5 s", "200 h"})
    EXPECT_NE(parse_budget(bad).error().message.find("1 to 100000 tries, or 1 s to 168 h"), std::string::npos) << bad;
  EXPECT_NE(parse_budget("ten").error().message.find("neither"), std::string::npos);
}

TEST(TuneBudget, ReadsBackWhatItSays) {
  for (const char *text : {"200 tries", "600 s"}) EXPECT_EQ(to_string(*parse_budget(text)), text);
}

TEST(TuneBudget, OnlyABudgetInTimeEndsByTime) {
  EXPECT_TRUE(has_time(TuneBudget{200, {}}, 24h, 0.5));
  EXPECT_TRUE(has_time(TuneBudget{{}, 100s}, 49s, 0.5));
  EXPECT_FALSE(has_time(TuneBudget{{}, 100s}, 50s, 0.5));
}

TEST(Generations, MostTriesCoverTheSpaceAndTheRestLookBesideTheBest) {
  const auto plan = generations(TuneBudget{200, {}}, 100000);
  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[0].sets, 120);
  EXPECT_EQ(plan[1].sets, 160);
  EXPECT_EQ(plan[2].sets, 200);
}

TEST(Generations, ASpaceThatTheTriesExhaustIsCoveredAlone) {
  const auto plan = generations(TuneBudget{200, {}}, 200);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].sets, 200);
}

TEST(Generations, TimeIsSharedOut) {
  const auto plan = generations(TuneBudget{{}, 600s}, 100000);
  ASSERT_GE(plan.size(), 2u);
  for (std::size_t i = 1; i < plan.size(); ++i) EXPECT_GT(plan[i].time_share, plan[i - 1].time_share);
  EXPECT_LT(plan.back().time_share, kLastRoundShare) << "some is left for the last rounds";
}

}  // namespace
}  // namespace pyc::hpc
