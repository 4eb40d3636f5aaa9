#include "evidence/promotion.h"

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"

namespace pyc::evidence {
namespace {

PromotionAttempt sample() {
  PromotionAttempt attempt;
  attempt.created_utc = "2026-01-31T12:34:56.789Z";
  attempt.name = "x", attempt.selector = "gemm/fp32/nn/square", attempt.arch = "sm90", attempt.digest = "d1";
  attempt.incumbent = "y", attempt.incumbent_digest = "d2";
  attempt.validation = {"kernels/results/v.json", "h1"};
  attempt.benchmark = {"kernels/results/b.json", "h2"};
  attempt.attempts = 3;
  attempt.verdict = "refused";
  attempt.lines = {{5, "speed", "1.01", "not faster by 2 %", false}};
  attempt.remarks = {"bimodal"};
  return attempt;
}

TEST(PromotionTrace, SaysWhichBenchmarkItRestedOn) {
  const test::TemporaryFolder folder;
  folder.write("t.json", to_json(sample()));
  const auto trace = read_promotion_trace(folder.path() / "t.json");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->digest, "d1");
  EXPECT_EQ(trace->incumbent_digest, "d2");
  EXPECT_EQ(trace->benchmark_sha256, "h2");
}

TEST(PromotionAttempt, IsReadAsItWasWritten) {
  const test::TemporaryFolder folder;
  PromotionAttempt accepted = sample();
  accepted.verdict = "promote", accepted.outcome = "accepted";
  const std::string text = to_json(accepted);
  const auto attempt = read_promotion(folder.write("t.json", text));
  ASSERT_TRUE(attempt) << attempt.error().message;
  EXPECT_EQ(to_json(*attempt), text);
  EXPECT_EQ(attempt->outcome, "accepted");
  EXPECT_TRUE(read_promotion(folder.write("older.json", to_json(sample())))) << "an older version names no outcome";
  EXPECT_FALSE(read_promotion(folder.write("cut.json", text.substr(0, text.size() / 2))));
}

TEST(PromotionTrace, AnEditedOneIsNone) {
  const test::TemporaryFolder folder;
  std::string text = to_json(sample());
  text.replace(text.find("\"h2\""), 4, "\"h3\"");
  folder.write("t.json", text);
  EXPECT_FALSE(read_promotion_trace(folder.path() / "t.json"));
}

TEST(PromotionTrace, IsNamedAfterItsCandidate) {
  const std::string name = promotion_file_name("x", "20260131T123456789Z");
  EXPECT_EQ(name, "x-promotion-20260131T123456789Z.json");
  EXPECT_TRUE(is_promotion_file_of(name, "x"));
  EXPECT_FALSE(is_promotion_file_of(name, "xx"));
  EXPECT_FALSE(is_promotion_file_of("x-benchmark-20260131T123456789Z.json", "x"));
}

}  // namespace
}  // namespace pyc::evidence
