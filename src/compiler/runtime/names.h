// One table for each public enumeration: the names and sentences that explanations, errors and variables use.
#pragma once

#include <cstdint>
#include <string_view>

#include "pyc/gemm.h"

namespace pyc::runtime {

// Static strings; "unknown ..." for a value outside the enumeration.
const char *status_string(int32_t status);
const char *reason_string(int32_t reason);
const char *rung_name(int32_t rung);
const char *verdict_name(int32_t verdict);
const char *dtype_name(int32_t dtype);    // "fp32", as in selectors
const char *layout_name(int32_t layout);  // "nn", as in selectors

// The rung of that name, or -1.
int32_t rung_from_name(std::string_view name);

// Of one element; a power of two.
constexpr int64_t dtype_bytes(int32_t dtype) { return dtype == PYC_DTYPE_FP32 ? 4 : 2; }

}  // namespace pyc::runtime
