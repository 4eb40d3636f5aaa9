#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace pyc {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\f\v";
constexpr std::size_t kLongestName = 256;  // longer ones are not typing errors
constexpr std::size_t kEquallyNear = 3;    // that a suggestion names
constexpr std::size_t kNamesListed = 16;
constexpr std::size_t kLongestHint = 4096;

// Optimal string alignment: insert, delete, replace, and swap of neighbours each cost one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

// Those closest to `typed` among the ones that are close enough to be what was meant, in the order of `names`.
std::vector<std::string> nearest_names(std::string_view typed, const std::vector<std::string> &names) {
  if (typed.size() > kLongestName) return {};
  const std::string wanted = to_lower(typed);
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 3);
  std::vector<std::string> nearest;
  for (const std::string &name : names) {
    const std::size_t longer = std::max(name.size(), wanted.size()), shorter = std::min(name.size(), wanted.size());
    if (longer - shorter > best) continue;
    const std::size_t distance = edit_distance(wanted, to_lower(name));
    if (distance > best || distance >= longer) continue;  // nothing in common is not near
    if (distance < best) nearest.clear();
    best = distance;
    nearest.push_back(name);
  }
  return nearest;
}

// Bytes of the well-formed character that starts at `at`; 0 if there is none (Unicode standard, table 3-7).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned lead = byte(at), next = byte(at + 1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(at + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool overlong = lead == 0xE0 && next < 0xA0, surrogate = lead == 0xED && next > 0x9F;
    return continues(at + 1) && continues(at + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool overlong = lead == 0xF0 && next < 0x90, too_large = lead == 0xF4 && next > 0x8F;
    return continues(at + 1) && continues(at + 2) && continues(at + 3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

std::string escape(unsigned char byte) {
  switch (byte) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return fmt::format("\\x{:02x}", byte);
  }
}

// U+0000 to U+001F, U+007F, and U+0080 to U+009F, which terminals obey as well.
bool is_control(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead < 0x20 || lead == 0x7F;
  return character.size() == 2 && lead == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::string join(const std::vector<std::string> &parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::optional<std::string> nearest_name(std::string_view typed, const std::vector<std::string> &names) {
  std::vector<std::string> nearest = nearest_names(typed, names);
  return nearest.empty() ? std::nullopt : std::optional(std::move(nearest.front()));
}

std::string suggest(std::string_view typed, const std::vector<std::string> &names) {
  if (names.empty()) return {};
  const std::vector<std::string> nearest = nearest_names(typed, names);
  if (!nearest.empty() && nearest.size() <= kEquallyNear) {
    return printable(fmt::format("did you mean '{}'?", fmt::join(nearest, "' or '")), kLongestHint);
  }
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamesListed));
  return printable(fmt::format("one of: {}{}", fmt::join(names.begin(), end, ", "), end == names.end() ? "" : ", ..."),
                   kLongestHint);
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string printable(std::string_view text, std::size_t limit) {
  constexpr std::string_view kCut = "...";
  std::string shown;
  std::size_t cut_at = 0;  // the longest whole-character prefix that leaves room for the dots
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
    const std::string_view character = text.substr(at, length);
    const bool broken = utf8_length(text, at) == 0;
    if (broken || is_control(character)) {
      for (const char byte : character) shown += escape(static_cast<unsigned char>(byte));
    } else {
      shown += character;
    }
    if (shown.size() > limit) return shown.substr(0, cut_at) + std::string(kCut.substr(0, limit));
    if (shown.size() + kCut.size() <= limit) cut_at = shown.size();
    at += length;
  }
  return shown;
}

}  // namespace pyc
