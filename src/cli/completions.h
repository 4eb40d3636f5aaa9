// Completion scripts for shells, made from the tables of verbs and flags.
#pragma once

#include <string>

namespace pyc::cli {

std::string bash_completions();
std::string zsh_completions();
std::string fish_completions();

}  // namespace pyc::cli
