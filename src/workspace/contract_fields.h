// The parts that kernel.json and the registry have in common, read and written once. Private to workspace/.
#pragma once

#include <string>

#include "evidence/json_fields.h"
#include "workspace/contract.h"

namespace pyc::workspace {

constexpr std::int64_t kMultipleLimit = 1 << 20;      // of requires.*_multiple, elements
constexpr std::int64_t kPointerAlignmentLimit = 256;  // bytes, what cudaMalloc gives
constexpr std::int64_t kPriorityLimit = 1000;
constexpr std::int64_t kSharedMemoryLimit = 1 << 20;  // bytes, above every arch
constexpr std::int64_t kRegistersLimit = 255;         // a thread's, by the instruction encoding
constexpr std::int64_t kLocalMemoryLimit = 1 << 19;   // bytes of a thread's, by the programming model
constexpr std::int64_t kShapeLimit = 1 << 24;         // of m, n and k, elements

// The reader's own status tells whether they could be read. `least_alignment`: the bytes of one element.
Requires read_requires(json::ObjectReader fields, std::int64_t least_alignment);
RuntimeFigures read_runtime(json::ObjectReader fields);
evidence::Shape read_shape(json::ObjectReader &fields);  // m, n, k; the caller finishes `fields`

json::Json requires_json(const Requires &requirements);
json::Json runtime_json(const RuntimeFigures &figures);
json::Json shape_json(const evidence::Shape &shape);

}  // namespace pyc::workspace
