// How text looks on a terminal. Nothing is told by colour alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyc::cli {

struct Style {
  bool color = false;
  std::string good(std::string_view text) const;  // green
  std::string bad(std::string_view text) const;   // red
  std::string odd(std::string_view text) const;   // yellow
  std::string bold(std::string_view text) const;
};

// Rows of equal length, columns padded to their widest cell, two spaces between them; the first row is the head.
// Columns of `right` (by index) are set flush right. Widths count code points, so that cells may hold "µ".
std::string format_table(const std::vector<std::vector<std::string>> &rows, const std::vector<int> &right = {});

}  // namespace pyc::cli
