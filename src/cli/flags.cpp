#include "cli/flags.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/text.h"

namespace pyc::cli {
namespace {

constexpr Flag kCommonFlags[] = {
    {"--workspace", "FOLDER", "the PyC checkout; default: the nearest one upwards from the current folder"},
    {"--json", nullptr, "one JSON document on stdout instead of text"},
    {"--color", "WHEN", "auto, always or never"},
    {"--quiet", nullptr, "no progress, tables or notes on stderr; errors and warnings stay"},
    {"--help", nullptr, "an example, then the flags"},
};

}  // namespace

std::span<const Flag> common_flags() { return kCommonFlags; }
std::vector<std::string> color_choices() { return {"auto", "always", "never"}; }

std::string Values::text(const std::string &flag) const {
  const auto found = given_.find(flag);
  return found == given_.end() ? std::string() : found->second.back();
}

std::vector<std::string> Values::list(const std::string &flag) const {
  const auto found = given_.find(flag);
  return found == given_.end() ? std::vector<std::string>() : found->second;
}

Result<std::int64_t> Values::integer(const std::string &flag, std::int64_t fallback, std::int64_t minimum,
                                     std::int64_t maximum) const {
  return has(flag) ? parse_integer(flag, text(flag), minimum, maximum) : Result<std::int64_t>(fallback);
}

Result<double> Values::number(const std::string &flag, double fallback, double minimum, double maximum) const {
  if (!has(flag)) return fallback;
  const std::string given = text(flag);
  double value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  const bool whole = error == std::errc() && end == given.data() + given.size();
  if (whole && std::isfinite(value) && value >= minimum && value <= maximum) return value;
  return fail(ErrorKind::kInvalid,
              fmt::format("{} '{}' is not a number from {} to {}", flag, printable(given), minimum, maximum),
              "write it in decimal digits, such as 0.05");
}

Result<std::int64_t> parse_integer(const std::string &what, const std::string &text, std::int64_t minimum,
                                   std::int64_t maximum) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && value >= minimum && value <= maximum) return value;
  const bool bounded = maximum != std::numeric_limits<std::int64_t>::max();
  const bool from_below = minimum != std::numeric_limits<std::int64_t>::min();
  const std::string range = bounded      ? fmt::format(" from {} to {}", minimum, maximum)
                            : from_below ? fmt::format(" from {} to 2^63 - 1", minimum)
                                         : " of at most 64 bits";
  return fail(ErrorKind::kInvalid, fmt::format("{} '{}' is not a whole number{}", what, printable(text), range),
              "write it in decimal digits, such as 128");
}

}  // namespace pyc::cli
