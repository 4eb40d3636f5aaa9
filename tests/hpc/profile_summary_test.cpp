#include "hpc/profile_summary.h"

#include <gtest/gtest.h>

namespace pyc::hpc {
namespace {

evidence::ProfiledKernel kernel_with(std::vector<evidence::ProfilerMetric> metrics) {
  return {"gemm", std::move(metrics)};
}

std::string stall(const std::string &reason) {
  return "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio";
}

TEST(ProfileSummary, WhatWasNotMeasuredIsAbsent) {
  const ProfileRow row = summarize(kernel_with({}));
  EXPECT_FALSE(row.time_ns || row.compute || row.memory || row.occupancy || row.limit_blocks || row.bank_conflicts);
  EXPECT_TRUE(row.stalls.empty());
}

TEST(ProfileSummary, TimeFollowsItsUnit) {
  const auto time = [](const std::string &unit) {
    return summarize(kernel_with({{"gpu__time_duration.sum", unit, "", 2.0}})).time_ns;
  };
  EXPECT_EQ(time("ns"), 2.0);
  EXPECT_EQ(time("usecond"), 2e3);
  EXPECT_EQ(time("ms"), 2e6);
  EXPECT_FALSE(time("fortnight"));
}

TEST(ProfileSummary, TheLimiterIsWhatAllowsTheFewestBlocks) {
  const ProfileRow row = summarize(kernel_with({{"launch__occupancy_limit_registers", "block", "", 2.0},
                                                {"launch__occupancy_limit_shared_mem", "block", "", 5.0},
                                                {"launch__occupancy_limit_warps", "block", "", 2.0}}));
  EXPECT_EQ(row.limit_blocks, 2.0);
  EXPECT_EQ(row.limiters, (std::vector<std::string>{"registers", "warps"}));
}

TEST(ProfileSummary, ShowsTheLongestStallsAndNotTheIssueItself) {
  const ProfileRow row = summarize(kernel_with({{stall("selected"), "", "", 9.0},
                                                {stall("barrier"), "", "", 0.5},
                                                {stall("long_scoreboard"), "", "", 4.0},
                                                {stall("long_scoreboard_not_issued"), "", "", 8.0},
                                                {stall("wait"), "", "", 1.0},
                                                {stall("membar"), "", "", 0.0},
                                                {stall("mio_throttle"), "", "", 2.0}}));
  ASSERT_EQ(row.stalls.size(), kShownStalls);
  EXPECT_EQ(row.stalls[0].reason, "long_scoreboard");
  EXPECT_EQ(row.stalls[1].reason, "mio_throttle");
  EXPECT_EQ(row.stalls[2].reason, "wait");
}

}  // namespace
}  // namespace pyc::hpc
