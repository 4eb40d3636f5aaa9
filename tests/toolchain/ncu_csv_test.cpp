#include <algorithm>
#include <gtest/gtest.h>

#include "toolchain/ncu.h"

namespace pyc::toolchain {
namespace {

const std::string kHead =
    "\"ID\",\"Process Name\",\"Kernel Name\",\"Block Size\",\"gpu__time_duration.sum\",\"l2__hit.pct\"\n";
const std::string kUnits = "\"\",\"\",\"\",\"\",\"ns\",\"\"\n";

std::string row(const std::string &id, const std::string &time, const std::string &hit) {
  return "\"" + id + "\",\"x\",\"void gemm<128, 64>(pyc_gemm_args)\",\"(256, 1, 1)\",\"" + time + "\",\"" + hit +
         "\"\n";
}

const NcuMetric *find(const NcuLaunch &launch, const std::string &name) {
  for (const NcuMetric &metric : launch.metrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

std::optional<double> time_of(const std::string &csv) {
  const auto launches = parse_ncu_csv(csv);
  if (!launches || launches->size() != 1) return -1;
  const NcuMetric *metric = find(launches->front(), "gpu__time_duration.sum");
  return metric ? metric->value : std::nullopt;
}

std::string refusal(const std::string &csv) {
  const auto launches = parse_ncu_csv(csv);
  if (launches) return "accepted";
  EXPECT_EQ(launches.error().kind, ErrorKind::kInvalid);
  return launches.error().message;
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST(NcuCsv, ReadsByNameThroughBannersUnitsAndTheProgramsWords) {
  const auto launches = parse_ncu_csv("==PROF== Connected to process 7 (/w/x)\nhello, \"world\"\n" + kHead + kUnits +
                                      row("0", "1500", "87.5") + "==PROF== Disconnected from process 7\n");
  ASSERT_TRUE(launches) << launches.error().message;
  ASSERT_EQ(launches->size(), 1u);
  const NcuLaunch &launch = launches->front();
  EXPECT_EQ(launch.kernel, "void gemm<128, 64>(pyc_gemm_args)");
  EXPECT_EQ(find(launch, "gpu__time_duration.sum")->value, 1500.0);
  EXPECT_EQ(find(launch, "gpu__time_duration.sum")->unit, "ns");
  EXPECT_EQ(find(launch, "l2__hit.pct")->value, 87.5);
  EXPECT_EQ(find(launch, "Block Size")->text, "(256, 1, 1)");
  EXPECT_EQ(find(launch, "Process Name"), nullptr);
}

TEST(NcuCsv, TheRowOfUnitsIsNoLaunchAndEmptyCellsAreNoZeros) {
  const auto launches = parse_ncu_csv(kHead + kUnits + row("0", "", "n/a"));
  ASSERT_TRUE(launches);
  ASSERT_EQ(launches->size(), 1u);
  EXPECT_EQ(find(launches->front(), "gpu__time_duration.sum"), nullptr);
  EXPECT_FALSE(find(launches->front(), "l2__hit.pct")->value);
  EXPECT_EQ(find(launches->front(), "l2__hit.pct")->text, "n/a");
}

TEST(NcuCsv, ReadsWithoutUnitsAndWithAHeadThatComesAgain) {
  const auto launches = parse_ncu_csv(kHead + row("0", "1", "2") + kHead + row("1", "3", "4"));
  ASSERT_TRUE(launches);
  EXPECT_EQ(launches->size(), 2u);
}

TEST(NcuCsv, FindsTheDecimalSignFromAllNumbersTogether) {
  EXPECT_EQ(time_of(kHead + row("0", "1,234,567.5", "87.5")), 1234567.5);
  EXPECT_EQ(time_of(kHead + row("0", "1.234,5", "87,5")), 1234.5);
  EXPECT_EQ(time_of(kHead + row("0", "1.234", "87,5")), 1234.0);  // the comma elsewhere makes this point a group
  EXPECT_EQ(time_of(kHead + row("0", "1,234", "87.5")), 1234.0);
  EXPECT_EQ(time_of(kHead + row("0", "1\u202f234,5", "87,5")), 1234.5);
}

TEST(NcuCsv, ANumberThatCanBeReadInTwoWaysHasNoValue) {
  const auto launches = parse_ncu_csv(kHead + row("0", "1,234", "5"));
  ASSERT_TRUE(launches);
  EXPECT_FALSE(find(launches->front(), "gpu__time_duration.sum")->value);
  EXPECT_EQ(find(launches->front(), "gpu__time_duration.sum")->text, "1,234");
}

TEST(NcuCsv, RefusesWhatIsNoSuchTable) {
  EXPECT_TRUE(contains(refusal("Segmentation fault\n"), "no head"));
  EXPECT_TRUE(contains(refusal("\"Metric\",\"Value\"\n\"a\",\"1\"\n"), "no head"));
  EXPECT_TRUE(contains(refusal(kHead + "\"0\",\"x\"\n"), "has 2 of 6 fields"));
  EXPECT_TRUE(contains(refusal(kHead + "\"0\",\"x\n"), "quote open"));
  EXPECT_TRUE(contains(refusal(kHead + row("0", "1,5", "2.5")), "different decimal signs"));
}

TEST(NcuCsv, AHeadAloneIsNoLaunch) {
  const auto launches = parse_ncu_csv(kHead + kUnits);
  ASSERT_TRUE(launches);
  EXPECT_TRUE(launches->empty());
}

TEST(NcuArguments, LeaveTheClocksAlone) {
  const auto words = ncu_arguments();
  const auto clock = std::find(words.begin(), words.end(), "--clock-control");
  ASSERT_NE(clock, words.end());
  EXPECT_EQ(*(clock + 1), "none");
}

}  // namespace
}  // namespace pyc::toolchain
