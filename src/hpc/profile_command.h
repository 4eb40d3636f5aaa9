// The command line of a profiler with placeholders, as a person types it behind --command.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace pyc::hpc {

constexpr const char *kBinaryPlaceholder = "{binary}";

// What the placeholders stand for. {binary} as a word of its own is the executable and, behind it, the words that make
// it launch the kernel once at one shape; inside a longer word it is the executable's path alone.
struct PlaceholderValues {
  std::string name, source, candidate_dir;
  std::vector<std::string> binary;
};

// The words of `command`, split as a shell would, without any other expansion. kInvalid for an open quote, no words, a
// placeholder that is none of name, source, candidate_dir and binary, and one that is not closed. A brace that no
// letter follows is an ordinary character.
Result<std::vector<std::string>> split_profiler_command(const std::string &command);

// The same words with values in place of placeholders.
std::vector<std::string> fill_in(const std::vector<std::string> &words, const PlaceholderValues &values);

}  // namespace pyc::hpc
