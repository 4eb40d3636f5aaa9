#include "hpc/extension.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "evidence/documents.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

using evidence::Arm;
using evidence::ShapeBenchmark;
using namespace std::chrono_literals;

constexpr stats::Interval kFaster{1.05, 1.03, 1.07}, kAtTheBar{1.04, 1.02, 1.06}, kSlower{0.9, 0.8, 1.0},
    kJustBelow{1.01, 1.00, 1.019}, kOpen{1.03, 1.01, 1.05}, kTouching{1.01, 1.00, 1.02};

struct Row {
  const char *what;
  ExtensionLimits limits;
  ExtensionState state;
  int added;
};

class SamplesToAdd : public testing::TestWithParam<Row> {};

TEST_P(SamplesToAdd, FollowFromWhatIsOpenAndWhatIsLeft) {
  EXPECT_EQ(samples_to_add(GetParam().limits, GetParam().state), GetParam().added);
}

const std::vector<Row> kRows = {
    {"Open", {50, 200, 60s}, {1, 5s, true, kOpen}, 50},
    {"OpenAtItsHighEnd", {50, 200, 60s}, {1, 5s, true, kTouching}, 50},
    {"OpenAgain", {50, 200, 60s}, {2, 10s, true, kOpen}, 100},
    {"AsManyAsAreLeft", {50, 120, 60s}, {2, 10s, true, kOpen}, 20},
    {"Faster", {50, 200, 60s}, {1, 5s, true, kFaster}, 0},
    {"ExactlyAtTheBar", {50, 200, 60s}, {1, 5s, true, kAtTheBar}, 0},
    {"Slower", {50, 200, 60s}, {1, 5s, true, kSlower}, 0},
    {"NotFasterEnough", {50, 200, 60s}, {1, 5s, true, kJustBelow}, 0},
    {"NoIncumbent", {50, 200, 60s}, {1, 5s, true, std::nullopt}, 0},
    {"NotSound", {50, 200, 60s}, {1, 5s, false, kOpen}, 0},
    {"AllRepeatsTaken", {50, 200, 60s}, {3, 5s, true, kOpen}, 0},
    {"OneLookOnly", {50, 50, 60s}, {1, 5s, true, kOpen}, 0},
    {"EndsInTime", {50, 200, 60s}, {1, 30s, true, kOpen}, 50},
    {"WouldEndTooLate", {50, 200, 60s}, {1, 31s, true, kOpen}, 0},
    {"TimeIsUp", {50, 200, 60s}, {1, 90s, true, kOpen}, 0},
    {"AShortPassStillFits", {50, 60, 60s}, {1, 49s, true, kOpen}, 10},
};

INSTANTIATE_TEST_SUITE_P(Extension, SamplesToAdd, testing::ValuesIn(kRows),
                         [](const testing::TestParamInfo<Row> &info) { return std::string(info.param.what); });

Arm arm_of(int number, const std::string &role, const std::vector<double> &cold_ns) {
  Arm arm;
  arm.arm = number;
  arm.role = role;
  arm.name = role;
  arm.status = "ready";
  arm.cold_ns = cold_ns;
  arm.cold_sm_clock_mhz = std::vector<double>(cold_ns.size(), 1980);
  for (std::size_t i = 0; i < cold_ns.size(); ++i) arm.cold_order.push_back(static_cast<std::int64_t>(2 * i) + number);
  arm.retaken = 1;
  arm.output_checks.resize(1);
  return arm;
}

ShapeBenchmark pass_of(double time_ns) {
  ShapeBenchmark shape;
  shape.shape = {64, 64, 64};
  shape.status = "completed";
  shape.elapsed_ns = 100;
  shape.arms = {arm_of(0, "candidate", {time_ns, time_ns}), arm_of(1, "incumbent", {2 * time_ns, 2 * time_ns})};
  return shape;
}

TEST(Extended, PartnersStayPartnersAndPlacesGoOn) {
  const auto shapes = extended({pass_of(10)}, {pass_of(20)});
  EXPECT_EQ(shapes[0].arms[0].cold_ns, (std::vector<double>{10, 10, 20, 20}));
  EXPECT_EQ(shapes[0].arms[1].cold_ns, (std::vector<double>{20, 20, 40, 40}));
  EXPECT_EQ(shapes[0].arms[0].cold_order, (std::vector<std::int64_t>{0, 2, 4, 6}));
  EXPECT_EQ(shapes[0].arms[1].cold_order, (std::vector<std::int64_t>{1, 3, 5, 7}));
  EXPECT_EQ(shapes[0].arms[0].cold_sm_clock_mhz.size(), 4u);
  EXPECT_EQ(shapes[0].arms[0].output_checks.size(), 2u);
  EXPECT_EQ(shapes[0].arms[0].retaken, 2);
  EXPECT_EQ(time_spent(shapes), 200ns);
}

TEST(Extended, AShapeThatThePassDidNotEndStaysAsItWas) {
  ShapeBenchmark open = pass_of(20);
  open.status = "unfinished";
  const auto shapes = extended({pass_of(10)}, {open});
  EXPECT_EQ(shapes[0].status, "completed");
  EXPECT_EQ(shapes[0].arms[0].cold_ns.size(), 2u);
}

TEST(Extended, AShapeThatFailsInOnePassFails) {
  ShapeBenchmark failed = pass_of(20);
  failed.status = "failed";
  EXPECT_EQ(extended({pass_of(10)}, {failed})[0].status, "failed");
}

TEST(Extended, AnArmThatWasNotTimedEveryTimeIsUnavailable) {
  ShapeBenchmark without = pass_of(20);
  without.arms[1].status = "unavailable";
  without.arms[1].reason = "out of memory";
  const auto shapes = extended({pass_of(10)}, {without});
  EXPECT_EQ(shapes[0].arms[1].status, "unavailable");
  EXPECT_EQ(shapes[0].arms[1].reason, "not timed in every pass: out of memory");
  EXPECT_TRUE(shapes[0].arms[1].cold_ns.empty());
  EXPECT_EQ(shapes[0].arms[0].cold_ns.size(), 4u);
}

TEST(Extended, ACandidateThatLaunchesOtherKernelsInALaterPassFails) {
  const auto launching = [](double time_ns, const std::string &kernel) {
    ShapeBenchmark shape = pass_of(time_ns);
    shape.launches = evidence::Launches{"ok", 0, {{kernel}}};
    return shape;
  };
  EXPECT_EQ(extended({launching(10, "gemm")}, {launching(20, "gemm")})[0].status, "completed");
  const auto shapes = extended({launching(10, "gemm")}, {launching(20, "other")});
  EXPECT_EQ(shapes[0].status, "failed");
  EXPECT_TRUE(shapes[0].arms[0].cold_ns.empty());
  EXPECT_EQ(shapes[0].arms[0].reason, "one call launched other kernels in a later pass");
}

TEST(Extended, AClockThatIsMissingOnceIsMissing) {
  ShapeBenchmark without = pass_of(20);
  without.arms[0].cold_sm_clock_mhz.clear();
  EXPECT_TRUE(extended({pass_of(10)}, {without})[0].arms[0].cold_sm_clock_mhz.empty());
}

// A time and a clock with all the digits that a double may have, a place in the longest sequence.
TEST(MostRepeats, TheirSamplesFitIntoOneFileOfEvidence) {
  constexpr std::size_t kSamples = 1000;
  evidence::Benchmark document;
  ShapeBenchmark &shape = document.shapes.emplace_back(pass_of(10));
  const std::size_t before = to_json(document).size();
  for (std::size_t i = 0; i < kSamples; ++i) {
    shape.arms[0].cold_ns.push_back(12345.678901234567);
    shape.arms[0].cold_order.push_back(10'000'000);
    shape.arms[0].cold_sm_clock_mhz.push_back(1979.9999999999998);
    if (i % 5 == 0) shape.arms[0].warm_ns.push_back(12345.678901234567);
  }
  EXPECT_LE(to_json(document).size() - before, kSamples * kBytesPerSample);
  for (const std::size_t shapes : {1, 4, 6})
    EXPECT_LE(shapes * 5 * most_repeats(shapes, 5) * kSamplesPerRepeat * kBytesPerSample, kEvidenceFileLimitBytes);
  EXPECT_EQ(most_repeats(1, 5), kMostBenchRepeats);
  EXPECT_GT(most_repeats(6, 5), 10'000);
}

}  // namespace
}  // namespace pyc::hpc
