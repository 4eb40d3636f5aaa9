#include "hpc/tune_budget.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"

namespace pyc::hpc {
namespace {

constexpr int kMostTries = 100000;
constexpr double kMostSeconds = 7 * 24 * 3600;

// Shares of the tries and of the time at which each generation ends: six tenths cover, the rest looks beside the best.
constexpr std::pair<double, double> kGenerations[] = {{0.6, 0.4}, {0.8, 0.55}, {1.0, 0.7}};

struct Unit {
  const char *word;
  double seconds;  // 0: tries
};
constexpr Unit kUnits[] = {{"", 0},    {"tries", 0}, {"try", 0},  {"s", 1},
                           {"sec", 1}, {"m", 60},    {"min", 60}, {"h", 3600}};

tl::unexpected<Error> refused(const std::string &text) {
  return fail(ErrorKind::kInvalid,
              fmt::format("--budget '{}' is neither a number of tries nor a time", printable(text)),
              "for example: --budget \"200 tries\", --budget 200, --budget 90s, --budget 10m or --budget 1h");
}

tl::unexpected<Error> out_of_range(const std::string &text) {
  return fail(ErrorKind::kInvalid,
              fmt::format("--budget '{}' is out of range: a whole number of 1 to {} tries, or 1 s to {:.0f} h",
                          printable(text), kMostTries, kMostSeconds / 3600),
              "for example: --budget 200 or --budget 10m");
}

}  // namespace

Result<TuneBudget> parse_budget(const std::string &text) {
  const std::string_view words = trim(text);
  double number = 0;
  const auto [end, error] =
      std::from_chars(words.data(), words.data() + words.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number)) return refused(text);
  const std::string unit = to_lower(trim(words.substr(static_cast<std::size_t>(end - words.data()))));
  for (const Unit &known : kUnits) {
    if (unit != known.word) continue;
    const double seconds = number * known.seconds;
    if (known.seconds == 0) {
      if (number != std::floor(number) || number < 1 || number > kMostTries) return out_of_range(text);
      return TuneBudget{static_cast<int>(number), std::nullopt};
    }
    if (seconds < 1 || seconds > kMostSeconds) return out_of_range(text);
    return TuneBudget{std::nullopt, std::chrono::seconds(static_cast<std::int64_t>(seconds))};
  }
  return refused(text);
}

std::string to_string(const TuneBudget &budget) {
  if (budget.time) return fmt::format("{} s", budget.time->count());
  return fmt::format("{} tries", budget.tries.value_or(kDefaultTries));
}

std::vector<Generation> generations(const TuneBudget &budget, std::uint64_t space_sets) {
  std::vector<Generation> all;
  for (const auto &[tries_share, time_share] : kGenerations) {
    const int sets = budget.tries ? static_cast<int>(std::lround(tries_share * *budget.tries)) : kMostTries;
    all.push_back({sets, budget.time ? time_share : 1});
  }
  if (budget.tries && space_sets <= static_cast<std::uint64_t>(*budget.tries)) return {{*budget.tries, 1}};
  return all;
}

bool has_time(const TuneBudget &budget, std::chrono::nanoseconds spent, double share) {
  return !budget.time || std::chrono::duration<double>(spent) < share * std::chrono::duration<double>(*budget.time);
}

}  // namespace pyc::hpc
