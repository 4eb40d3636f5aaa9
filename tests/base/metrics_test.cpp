#include "base/metrics.h"

#include <gtest/gtest.h>

namespace pyc {
namespace {

using Metrics = std::map<std::string, double>;

TEST(Metrics, AreReadFromLinesOfEveryForm) {
  EXPECT_EQ(read_metrics("best_ms=0.5\ngflops = 1e3\nmean_ms: 2\r\n"),
            (Metrics{{"best_ms", 0.5}, {"gflops", 1000}, {"mean_ms", 2}}));
  EXPECT_EQ(read_metrics("result: m=64 best_ms=0.25 gflops=7"), (Metrics{{"m", 64}, {"best_ms", 0.25}, {"gflops", 7}}));
}

TEST(Metrics, WhatIsNoNumberIsNoMetric) {
  EXPECT_EQ(read_metrics("best_ms=nan\ngflops=inf\na=1,5\nc=\n=2\nnote: all is well\nd=0x10\n"), Metrics{});
}

TEST(Metrics, TheLastOfAKeyCounts) { EXPECT_EQ(read_metrics("a=1\na=2\n"), (Metrics{{"a", 2}})); }

TEST(Metrics, OnlyAPositiveFigureIsOne) {
  EXPECT_EQ(positive_metric({{"best_ms", 2}}, "best_ms"), 2);
  EXPECT_FALSE(positive_metric({{"best_ms", 0}}, "best_ms"));
  EXPECT_FALSE(positive_metric({{"best_ms", -1}}, "best_ms"));
  EXPECT_FALSE(positive_metric({}, "best_ms"));
}

TEST(Tail, IsTheLastLinesAndNotTooManyBytes) {
  EXPECT_EQ(tail_of("one\ntwo\n\n"), "one\ntwo");
  EXPECT_EQ(tail_of(""), "");
  std::string lines;
  for (int i = 1; i <= 100; ++i) lines += std::to_string(i) + "\n";
  EXPECT_EQ(tail_of(lines).substr(0, 3), "81\n");
  EXPECT_EQ(tail_of(std::string(100000, 'x')).size(), 4000u);
}

}  // namespace
}  // namespace pyc
