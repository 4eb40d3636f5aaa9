#include <gtest/gtest.h>

#include "hpc/verbs.h"
#include "tests/hpc/evidence_fixture.h"

namespace pyc::hpc {
namespace {

evidence::ProfilerMetric metric(const std::string &name, const std::string &unit, double value) {
  return {name, unit, {}, value};
}

// Two profiles of one candidate on the same GPU; a test changes the right one.
class CompareProfiles : public testing::Test {
 protected:
  CompareProfiles() {
    const workspace::Candidate candidate = scratch_.add_candidate("x");
    left_.header = test::good_benchmark(candidate, nullptr).header;
    left_.header.kind = evidence::Kind::kProfile;
    left_.shape = {1024, 1024, 1024};
    left_.run.command = {"/usr/bin/ncu", "--csv"};
    left_.run.ended = "exit code 0";
    left_.run.return_code = 0;
    left_.kernels = {{"gemm",
                      {metric("gpu__time_duration.sum", "ns", 20000), metric("lts__t_sector_hit_rate.pct", "%", 80),
                       metric("launch__occupancy_limit_registers", "block", 2),
                       metric("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", "inst", 1.5)}}};
    right_ = left_;
  }
  ProfileComparison compare_now() const { return compare_profiles(left_, right_); }
  const ComparedFigure &figure(const ProfileComparison &comparison, const std::string &name) const {
    for (const ComparedFigure &one : comparison.kernels.at(0).figures)
      if (one.name == name) return one;
    ADD_FAILURE() << "no figure " << name;
    return comparison.kernels.at(0).figures.at(0);
  }
  std::filesystem::path write(const evidence::Profile &profile, const std::string &name) const {
    const auto path = scratch_.root() / name;
    std::ofstream(path) << to_json(profile);
    return path;
  }

  test::ScratchWorkspace scratch_;
  evidence::Profile left_, right_;
};

TEST_F(CompareProfiles, PutTheFiguresOfEachLaunchSideBySide) {
  right_.kernels[0].metrics[0].value = 10000;
  const ProfileComparison comparison = compare_now();
  EXPECT_EQ(figure(comparison, "time").left, 20.0);
  EXPECT_EQ(figure(comparison, "time").right, 10.0);
  EXPECT_EQ(figure(comparison, "time").unit, "us");
  EXPECT_EQ(figure(comparison, "L2 hit rate").left, 80.0);
  EXPECT_FALSE(figure(comparison, "compute").left) << "what was not measured is absent";
  EXPECT_EQ(comparison.kernels[0].left_limiters, "registers");
  EXPECT_EQ(comparison.kernels[0].right_stalls, "barrier 1.50");
  EXPECT_TRUE(comparison.remarks.empty());
}

TEST_F(CompareProfiles, SayWhatDiffers) {
  right_.shape = {64, 64, 64};
  right_.header.gpu->name = "NVIDIA H100";
  right_.header.toolchain.nvcc_version = "12.4.1";
  std::string differences;
  for (const Difference &difference : compare_now().differences) differences += difference.what + ";";
  for (const char *what : {"shape;", "GPU;", "nvcc;"}) EXPECT_NE(differences.find(what), std::string::npos) << what;
  EXPECT_EQ(compare_now().remarks.size(), 2u) << "another GPU, another size";
}

TEST_F(CompareProfiles, ALaunchThatOnlyOneHasIsShownWithoutAPartner) {
  right_.kernels.push_back({"reduce", {metric("gpu__time_duration.sum", "ns", 3000)}});
  const ProfileComparison comparison = compare_now();
  ASSERT_EQ(comparison.kernels.size(), 2u);
  EXPECT_EQ(comparison.kernels[1].left, "");
  EXPECT_EQ(comparison.kernels[1].right, "reduce");
  EXPECT_EQ(comparison.remarks.size(), 1u);
}

TEST_F(CompareProfiles, OneMadeWithACommandIsComparedByWhatItWasMadeWith) {
  right_.default_metrics = false;
  right_.kernels.clear();
  ASSERT_EQ(compare_now().remarks.size(), 2u);
  EXPECT_NE(compare_now().remarks[0].find("the right one was made with --command"), std::string::npos);
}

TEST_F(CompareProfiles, AreReadFromFiles) {
  const auto result = compare(scratch_.context(), {write(left_, "l.json"), write(right_, "r.json")});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(std::get<ProfileComparison>(*result).left_name, "x");
}

TEST_F(CompareProfiles, OneThatShowsNothingIsRefused) {
  right_.header.status = evidence::DocumentStatus::kError;
  right_.header.error = "the profiler captured no kernel";
  const auto result = compare(scratch_.context(), {write(left_, "l.json"), write(right_, "r.json")});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kInvalid);
  EXPECT_NE(result.error().message.find("captured no kernel"), std::string::npos) << result.error().message;
}

TEST_F(CompareProfiles, ABenchmarkBesideAProfileIsRefused) {
  const auto benchmark = scratch_.write(test::good_benchmark(scratch_.read("x"), nullptr));
  const auto result = compare(scratch_.context(), {benchmark, write(right_, "r.json")});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("is a profile"), std::string::npos) << result.error().message;
  EXPECT_FALSE(result.error().hint.empty());
}

}  // namespace
}  // namespace pyc::hpc
