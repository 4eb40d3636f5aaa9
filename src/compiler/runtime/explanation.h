// Explanations as text.
#pragma once

#include <span>
#include <string>

#include "pyc/gemm.h"

namespace pyc::runtime {

// One line a rung: its name, the verdict, the symbol or the reason, the detail.
std::string explanation_text(std::span<const pyc_rung_report> reports);

}  // namespace pyc::runtime
