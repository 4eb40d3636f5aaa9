#include "base/metrics.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/text.h"

namespace pyc {
namespace {

constexpr std::ptrdiff_t kTailLines = 20;
constexpr std::size_t kTailBytes = 4000;

std::optional<double> read_number(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

bool is_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
  });
}

// True if the text is KEY, the separator and a number.
bool take(std::string_view text, char separator, std::map<std::string, double> &metrics) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return false;
  const std::string_view key = trim(text.substr(0, at));
  const auto value = read_number(text.substr(at + 1));
  if (!is_key(key) || !value) return false;
  metrics[std::string(key)] = *value;
  return true;
}

}  // namespace

std::map<std::string, double> read_metrics(std::string_view text) {
  std::map<std::string, double> metrics;
  for (const std::string &line : split(text, '\n')) {
    if (take(line, '=', metrics) || take(line, ':', metrics)) continue;
    for (const std::string &word : split(line, ' ')) take(word, '=', metrics);
  }
  return metrics;
}

std::optional<double> positive_metric(const std::map<std::string, double> &metrics, const std::string &key) {
  const auto found = metrics.find(key);
  return found != metrics.end() && found->second > 0 ? std::optional(found->second) : std::nullopt;
}

std::string tail_of(std::string_view text) {
  std::vector<std::string> lines = split(trim(text), '\n');
  if (std::ssize(lines) > kTailLines) lines.erase(lines.begin(), lines.end() - kTailLines);
  const std::string tail = join(lines, "\n");
  return tail.size() > kTailBytes ? tail.substr(tail.size() - kTailBytes) : tail;
}

}  // namespace pyc
