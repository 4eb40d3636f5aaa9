// Asking a program what it is.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/nvcc.h"

namespace pyc::toolchain {

constexpr std::chrono::seconds kProbeLimit{10};  // a driver that wakes eight GPUs up takes several

// What the program writes to stdout, if it exits with 0. kUnavailable with its own words otherwise; kInterrupted.
Result<std::string> ask(const std::filesystem::path &program, const std::vector<std::string> &arguments,
                        const Environment &environment, std::chrono::milliseconds limit = kProbeLimit);

// The first line that says something, trimmed and printable; empty if there is none.
std::string first_line(const std::string &text);

}  // namespace pyc::toolchain
