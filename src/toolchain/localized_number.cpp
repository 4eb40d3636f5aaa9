#include "toolchain/localized_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "base/text.h"

namespace pyc::toolchain {
namespace {

constexpr std::size_t kGroupDigits = 3;

// Spaces that do not break also group digits.
std::string without_spaces(std::string text) {
  for (const std::string_view space : {"\u00a0", "\u202f"}) {
    for (std::size_t at; (at = text.find(space)) != std::string::npos;) text.erase(at, space.size());
  }
  return text;
}

bool is_numeral(const std::string &text) {
  const bool begins = !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-');
  return begins && text.find_first_not_of("0123456789.,eE+-") == std::string::npos;
}

// "1,234,567": up to three digits, then groups of three.
bool is_grouped(std::string_view whole, char separator) {
  if (!whole.empty() && whole[0] == '-') whole.remove_prefix(1);
  const std::vector<std::string> groups = split(whole, separator);
  return !groups[0].empty() && groups[0].size() <= kGroupDigits &&
         std::all_of(groups.begin() + 1, groups.end(), [](const std::string &g) { return g.size() == kGroupDigits; });
}

DecimalSign sign_of(char separator) { return separator == '.' ? DecimalSign::kPoint : DecimalSign::kComma; }

// What one numeral says of the decimal sign.
DecimalSign vote(const std::string &text) {
  const std::size_t last = text.find_last_of(".,");
  if (last == std::string::npos) return DecimalSign::kUnknown;
  const char separator = text[last], other = separator == '.' ? ',' : '.';
  if (std::count(text.begin(), text.end(), separator) > 1)
    return is_grouped(text, separator) ? sign_of(other) : DecimalSign::kUnknown;
  if (text.find(other) != std::string::npos) return sign_of(separator);
  const bool may_be_group = is_grouped(text, separator) && text[0] != '0' && text.rfind("-0", 0) != 0;
  return may_be_group ? DecimalSign::kUnknown : sign_of(separator);
}

}  // namespace

Result<DecimalSign> find_decimal_sign(std::span<const std::string> texts) {
  DecimalSign sign = DecimalSign::kUnknown;
  std::string witness;
  for (const std::string &given : texts) {
    const std::string text = without_spaces(given);
    const DecimalSign said = is_numeral(text) ? vote(text) : DecimalSign::kUnknown;
    if (said == DecimalSign::kUnknown) continue;
    if (sign != DecimalSign::kUnknown && sign != said)
      return fail(ErrorKind::kInvalid, fmt::format("'{}' and '{}' have different decimal signs", witness, text));
    sign = said;
    witness = text;
  }
  return sign;
}

std::optional<double> parse_localized(std::string text, DecimalSign sign) {
  text = without_spaces(std::move(text));
  if (!is_numeral(text)) return std::nullopt;
  const bool lone_comma = text.find(',') != std::string::npos;
  if (sign == DecimalSign::kUnknown && lone_comma) return std::nullopt;
  const char decimal = sign == DecimalSign::kComma ? ',' : '.', grouping = decimal == '.' ? ',' : '.';
  const std::string whole = text.substr(0, text.find(decimal));
  if (whole.find(grouping) != std::string::npos && !is_grouped(whole, grouping)) return std::nullopt;
  text.erase(std::remove(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(whole.size()), grouping),
             text.begin() + static_cast<std::ptrdiff_t>(whole.size()));
  std::replace(text.begin(), text.end(), ',', '.');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace pyc::toolchain
