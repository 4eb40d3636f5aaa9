// Explanations as the public functions hand them out.
#pragma once

#include <span>
#include <string>

#include "pyc/gemm.h"

namespace pyc::runtime {

// One line a rung: its name, the verdict, the symbol or the reason, the detail.
std::string explanation_text(std::span<const pyc_rung_report> reports);

// The caller's array: INVALID_VALUE naming the argument that cannot be used.
pyc_status check_reports(const pyc_rung_report *reports, size_t capacity, const size_t *count);

// Writes at most `capacity` reports, and all that there are to *count. Both were checked.
void copy_reports(std::span<const pyc_rung_report> explanation, pyc_rung_report *reports, size_t capacity,
                  size_t *count);

}  // namespace pyc::runtime
