// Comma-separated fields, as NVIDIA's programs print them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyc::toolchain {

// Fields of one line, trimmed: quotes hold commas, a doubled quote is one. Nothing if a quote is left open.
std::optional<std::vector<std::string>> split_csv(std::string_view line);

}  // namespace pyc::toolchain
