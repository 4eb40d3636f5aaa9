// Numbers that a program may have printed by the rules of another country: 1,234.5 or 1.234,5.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace pyc::toolchain {

enum class DecimalSign { kUnknown, kPoint, kComma };

// What all of these together say: "0,5" and "1.234,5" can only have a decimal comma, "1,234" could be either. Texts
// that are no numbers say nothing. kInvalid if two contradict each other.
Result<DecimalSign> find_decimal_sign(std::span<const std::string> texts);

// No value for what is no finite number, nor, where the sign is unknown, for "1,234", which can be read in two ways. A
// lone point is then decimal, as in the C locale.
std::optional<double> parse_localized(std::string text, DecimalSign sign);

}  // namespace pyc::toolchain
