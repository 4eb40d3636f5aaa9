// Problems that are there for one thing: an operand of more than 2^31 elements, where 32-bit offsets overflow.
#pragma once

#include <vector>

#include "evidence/records.h"
#include "pyc/family.h"

namespace pyc::hpc {

// One problem for each operand that can be so large in the family, of multiples of 16 in every extent; k is at most
// 2^20. Empty for `small`.
std::vector<evidence::Shape> large_shapes(pyc_shape_family family);

}  // namespace pyc::hpc
