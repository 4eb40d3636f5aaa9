// The `runtime` figures of kernel.json that only a compiler and a device can tell, taken from a validation.
#pragma once

#include <optional>
#include <string>

#include "evidence/records.h"
#include "workspace/contract.h"

namespace pyc::hpc {

// Those of the first timed shape's largest kernel (by grid), and what ptxas and the repeats said; `known` keeps what is
// not measured. No value if no launch was seen. A run with fewer repeats, --quick, does not tell whether the kernel is
// deterministic.
std::optional<workspace::RuntimeFigures> measured_figures(const evidence::Validation &validation,
                                                          const workspace::RuntimeFigures &known);

// From the log of a build. No value where ptxas named no kernel.
std::optional<evidence::PtxasFigures> ptxas_figures(const std::string &compiler_log);

// low, medium or high, by registers per thread.
std::string register_pressure(int registers_per_thread);

}  // namespace pyc::hpc
