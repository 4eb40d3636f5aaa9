#include "hpc/profile_command.h"

#include <fmt/format.h>
#include <map>

#include "base/placeholders.h"
#include "base/text.h"

namespace pyc::hpc {
namespace {

const std::vector<std::string> kPlaceholders = {"name", "source", "candidate_dir", "binary"};

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
  PYC_CHECK(check_placeholders(*words, kPlaceholders, "--command"));
  return *words;
}

std::vector<std::string> fill_in(const std::vector<std::string> &words, const PlaceholderValues &values) {
  const std::map<std::string, std::string> by_name = {{"name", values.name},
                                                      {"source", values.source},
                                                      {"candidate_dir", values.candidate_dir},
                                                      {"binary", values.binary.front()}};
  std::vector<std::string> filled;
  for (const std::string &word : words) {
    if (word == kBinaryPlaceholder) {
      filled.insert(filled.end(), values.binary.begin(), values.binary.end());
    } else {
      filled.push_back(fill_placeholders(word, by_name));
    }
  }
  return filled;
}

}  // namespace pyc::hpc
