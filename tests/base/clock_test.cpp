#include "base/clock.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;

constexpr pyc::TimePoint kLeapDay = std::chrono::sys_days{std::chrono::year{2024} / 2 / 29} + 23h + 59min + 58s + 7ms;

TEST(Clock, IsoStampIsUtcWithMilliseconds) { EXPECT_EQ(pyc::utc_iso(kLeapDay), "2024-02-29T23:59:58.007Z"); }

TEST(Clock, FileStampHasNoSeparators) { EXPECT_EQ(pyc::utc_file_stamp(kLeapDay), "20240229T235958007Z"); }

TEST(Clock, FractionsRoundDownSoThatStampsNeverLieInTheFuture) {
  EXPECT_EQ(pyc::utc_iso(kLeapDay + 999us), "2024-02-29T23:59:58.007Z");
  EXPECT_EQ(pyc::utc_iso(pyc::TimePoint(-1ms)), "1969-12-31T23:59:59.999Z");
}

TEST(Clock, TheLocalTimeZoneDoesNotMatter) {
  setenv("TZ", "Pacific/Auckland", 1);
  tzset();
  EXPECT_EQ(pyc::utc_iso(kLeapDay), "2024-02-29T23:59:58.007Z");
  unsetenv("TZ");
  tzset();
}

}  // namespace
