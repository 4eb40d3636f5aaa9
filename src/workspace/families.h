// The families' names, default shape sets and odd twins; the rule itself is in include/pyc/family.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/records.h"
#include "pyc/family.h"

namespace pyc::workspace {

std::vector<std::string> family_names();
std::optional<pyc_shape_family> family_of_name(std::string_view name);

// The shapes that are timed by default, m x n x k.
std::span<const evidence::Shape> default_shapes(pyc_shape_family family);

// A neighbour with every dimension odd (1 stays 1) in the same family: for correctness only, it is never timed.
evidence::Shape odd_twin(const evidence::Shape &shape);

// fp32, fp16, bf16 with the default tolerances; layouts nn, nt, tn, tt.
std::vector<std::string> dtype_names();
std::vector<std::string> layout_names();
std::optional<evidence::Tolerance> default_tolerance(std::string_view dtype);
std::size_t element_bytes(std::string_view dtype);  // 0 if unknown

}  // namespace pyc::workspace
