// Small helpers on text that more than one room needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyc {

std::vector<std::string> split(std::string_view text, char separator);  // keeps empty fields
std::string_view trim(std::string_view text);                           // ASCII white space at both ends
std::string join(const std::vector<std::string> &parts, std::string_view separator);
std::string to_lower(std::string_view text);                     // ASCII
std::string counted(std::size_t number, std::string_view noun);  // "1 shape", "3 shapes"

// The member of `names` closest to `typed` by edit distance, if it is close enough to be what was meant.
std::optional<std::string> nearest_name(std::string_view typed, const std::vector<std::string> &names);

// "did you mean 'square'?", "did you mean 'sm89' or 'sm90'?" or "one of: small, square, ..."; empty for no names.
std::string suggest(std::string_view typed, const std::vector<std::string> &names);

bool is_valid_utf8(std::string_view text);

// `text` with control characters and broken UTF-8 made visible, cut to `limit` bytes: for quoting foreign text in
// messages.
std::string printable(std::string_view text, std::size_t limit = 200);

// Words as a POSIX shell splits them ('', "", \), without expansion. Nothing if a quote is left open.
std::optional<std::vector<std::string>> split_command(std::string_view command);

}  // namespace pyc
