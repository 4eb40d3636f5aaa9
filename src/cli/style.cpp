#include "cli/style.h"

#include <algorithm>

namespace pyc::cli {
namespace {

std::string paint(bool color, const char *code, std::string_view text) {
  if (!color) return std::string(text);
  return std::string("\033[") + code + "m" + std::string(text) + "\033[0m";
}

std::size_t width(const std::string &text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

}  // namespace

std::string Style::good(std::string_view text) const { return paint(color, "32", text); }
std::string Style::bad(std::string_view text) const { return paint(color, "31", text); }
std::string Style::odd(std::string_view text) const { return paint(color, "33", text); }
std::string Style::bold(std::string_view text) const { return paint(color, "1", text); }

std::string format_table(const std::vector<std::vector<std::string>> &rows, const std::vector<int> &right) {
  std::vector<std::size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string table;
  for (const auto &row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      const bool flush_right = std::find(right.begin(), right.end(), static_cast<int>(i)) != right.end();
      line += (i == 0 ? "" : "  ") + (flush_right ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + "\n";
  }
  return table;
}

}  // namespace pyc::cli
