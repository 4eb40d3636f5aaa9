// The words that a value of the command line may be, by the word that stands for it in the help: "ARCH", "DTYPE".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyc::hpc {

// Empty for a value that may be anything.
std::vector<std::string> choices_of(std::string_view value);

}  // namespace pyc::hpc
