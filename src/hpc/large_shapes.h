// Problems that are there for one thing: an operand of more than 2^31 elements, where 32-bit offsets overflow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/records.h"
#include "pyc/family.h"

namespace pyc::hpc {

// One problem for each operand that can be so large in the family, of multiples of 16 in every extent; k is at most
// 2^20. Empty for `small`.
std::vector<evidence::Shape> large_shapes(pyc_shape_family family);

// What the check of such a problem needs at the very least: the operands, and two references of C, of 8 and of 4 bytes
// an element.
std::int64_t large_shape_bytes(const evidence::Shape &shape, const std::string &dtype);

}  // namespace pyc::hpc
