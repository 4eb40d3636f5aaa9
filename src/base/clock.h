// Wall-clock time as the evidence writes it, always UTC.
#pragma once

#include <chrono>
#include <string>

namespace pyc {

using TimePoint = std::chrono::system_clock::time_point;

std::string utc_iso(TimePoint time);         // 2026-01-31T12:34:56.789Z
std::string utc_file_stamp(TimePoint time);  // 20260131T123456789Z

}  // namespace pyc
