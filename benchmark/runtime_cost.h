// The figures of pyc_runtime_cost, and how they are taken.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace cost {

inline constexpr double kNoBar = std::numeric_limits<double>::quiet_NaN();

struct Figure {
  std::string name;
  double value;
  const char *unit;
  double bar = kNoBar;  // what the value must not exceed, or with at_least: must reach
  bool at_least = false;
  std::string note;

  bool has_bar() const { return bar == bar; }
  bool is_missed() const { return has_bar() && (at_least ? !(value >= bar) : !(value <= bar)); }
};

std::vector<Figure> host_figures();

// Nothing without a GPU; *why_not says so.
std::vector<Figure> device_figures(std::string *why_not);

// Calls of operator new in this thread since it began.
uint64_t allocations();

using Clock = std::chrono::steady_clock;

inline double ns_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The median over samples of the time that one of `calls` calls takes.
template <typename Call>
double median_ns(int samples, int calls, Call call) {
  for (int i = 0; i < calls; ++i) call();
  std::vector<double> times;
  for (int s = 0; s < samples; ++s) {
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    times.push_back(ns_since(begin) / calls);
  }
  return median(times);
}

// How often `call` asks for memory, per 1000 calls.
template <typename Call>
double allocations_per_1000(Call call) {
  call();
  const uint64_t before = allocations();
  for (int i = 0; i < 1000; ++i) call();
  return double(allocations() - before);
}

}  // namespace cost
