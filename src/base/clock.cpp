#include "base/clock.h"

#include <ctime>
#include <fmt/format.h>

namespace pyc {
namespace {

std::string format_utc(TimePoint time, const char *pattern, const char *before_fraction) {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(milliseconds);
  const std::time_t whole = seconds.count();
  std::tm utc{};
  gmtime_r(&whole, &utc);
  char text[64];
  const std::size_t length = std::strftime(text, sizeof text, pattern, &utc);
  return fmt::format("{}{}{:03}Z", std::string_view(text, length), before_fraction, (milliseconds - seconds).count());
}

}  // namespace

std::string utc_iso(TimePoint time) { return format_utc(time, "%Y-%m-%dT%H:%M:%S", "."); }

std::string utc_file_stamp(TimePoint time) { return format_utc(time, "%Y%m%dT%H%M%S", ""); }

}  // namespace pyc
