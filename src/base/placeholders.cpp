#include "base/placeholders.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/text.h"

namespace pyc {
namespace {

bool opens_placeholder(const std::string &word, std::size_t at) {
  if (word[at] != '{' || at + 1 >= word.size()) return false;
  return std::isalpha(static_cast<unsigned char>(word[at + 1])) || word[at + 1] == '_';
}

Status check_at(const std::string &word, std::size_t at, const std::vector<std::string> &known,
                const std::string &what) {
  const std::size_t end = word.find('}', at);
  if (end == std::string::npos) {
    return fail(ErrorKind::kInvalid, fmt::format("{}: '{}' has a brace that is not closed", what, printable(word)),
                fmt::format("the placeholders are {{{}}}", fmt::join(known, "}, {")));
  }
  const std::string name = word.substr(at + 1, end - at - 1);
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  return fail(ErrorKind::kInvalid, fmt::format("{}: unknown placeholder '{{{}}}'", what, printable(name)),
              suggest(name, known));
}

}  // namespace

Status check_placeholders(const std::vector<std::string> &words, const std::vector<std::string> &known,
                          const std::string &what) {
  for (const std::string &word : words) {
    for (std::size_t at = 0; at < word.size(); ++at)
      if (opens_placeholder(word, at)) PYC_CHECK(check_at(word, at, known, what));
  }
  return {};
}

bool has_placeholder(const std::vector<std::string> &words, const std::string &name) {
  const std::string placeholder = fmt::format("{{{}}}", name);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string &word) { return word.find(placeholder) != std::string::npos; });
}

std::string fill_placeholders(const std::string &word, const std::map<std::string, std::string> &values) {
  std::string filled;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (!opens_placeholder(word, at)) {
      filled += word[at];
      continue;
    }
    const std::size_t end = word.find('}', at);
    filled += values.at(word.substr(at + 1, end - at - 1));
    at = end;
  }
  return filled;
}

}  // namespace pyc
