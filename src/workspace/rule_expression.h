// Whole-number expressions over named values, for the rules and dependent defaults of templates.
//
//     tile_m % thread_m == 0 && max(tile_m, tile_n) <= 256
//
// Integers, names, ( ), min(a, b), max(a, b), and with C's precedence: ! -, * / %, + -, < <= > >=, == !=, &&, ||.
// A comparison is 1 or 0. && and || do not evaluate what they need not. Comparisons are not chained: a < b < c is
// refused.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyc::workspace {

using Variables = std::map<std::string, std::int64_t, std::less<>>;

// kInvalid, quoting the expression and the column, for anything that is not one expression: an unknown name, a division
// by zero, a value outside 64 bits, text left over.
Result<std::int64_t> evaluate(std::string_view expression, const Variables &variables);

}  // namespace pyc::workspace
