#include "hpc/profile_command.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/text.h"

namespace pyc::hpc {
namespace {

const std::vector<std::string> &placeholder_names() {
  static const std::vector<std::string> kNames = {"name", "source", "candidate_dir", "binary"};
  return kNames;
}

bool opens_placeholder(const std::string &word, std::size_t at) {
  if (word[at] != '{' || at + 1 >= word.size()) return false;
  return std::isalpha(static_cast<unsigned char>(word[at + 1])) || word[at + 1] == '_';
}

Status check_placeholder(const std::string &word, std::size_t at) {
  const std::size_t end = word.find('}', at);
  if (end == std::string::npos) {
    return fail(ErrorKind::kInvalid, fmt::format("--command: '{}' has a brace that is not closed", printable(word)),
                "write {name}, {source}, {candidate_dir} or {binary}");
  }
  const std::string name = word.substr(at + 1, end - at - 1);
  const std::vector<std::string> &known = placeholder_names();
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  return fail(ErrorKind::kInvalid, fmt::format("--command: unknown placeholder '{{{}}}'", printable(name)),
              suggest(name, known));
}

const std::string &value_of(const std::string &name, const PlaceholderValues &values) {
  if (name == "name") return values.name;
  if (name == "source") return values.source;
  if (name == "candidate_dir") return values.candidate_dir;
  return values.binary.front();
}

std::string fill_word(const std::string &word, const PlaceholderValues &values) {
  std::string filled;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (!opens_placeholder(word, at)) {
      filled += word[at];
      continue;
    }
    const std::size_t end = word.find('}', at);
    filled += value_of(word.substr(at + 1, end - at - 1), values);
    at = end;
  }
  return filled;
}

}  // namespace

Result<std::vector<std::string>> split_profiler_command(const std::string &command) {
  const auto words = split_command(command);
  if (!words) {
    return fail(ErrorKind::kInvalid, fmt::format("--command leaves a quote open: '{}'", printable(command)),
                "close it, or escape it with a backslash");
  }
  if (words->empty() || words->front().empty()) {
    return fail(ErrorKind::kInvalid, "--command names no program",
                "for example: --command \"ncu --set full {binary}\"");
  }
  for (const std::string &word : *words) {
    for (std::size_t at = 0; at < word.size(); ++at)
      if (opens_placeholder(word, at)) PYC_CHECK(check_placeholder(word, at));
  }
  return *words;
}

std::vector<std::string> fill_in(const std::vector<std::string> &words, const PlaceholderValues &values) {
  std::vector<std::string> filled;
  for (const std::string &word : words) {
    if (word == kBinaryPlaceholder) {
      filled.insert(filled.end(), values.binary.begin(), values.binary.end());
    } else {
      filled.push_back(fill_word(word, values));
    }
  }
  return filled;
}

}  // namespace pyc::hpc
