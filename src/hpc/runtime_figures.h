// The `runtime` figures of kernel.json that only a compiler and a device can tell, taken from a validation.
#pragma once

#include <optional>

#include "evidence/records.h"
#include "workspace/contract.h"

namespace pyc::hpc {

// Those of the first timed shape's largest kernel (by grid); `known` keeps what is not measured. No value if no launch
// was seen.
std::optional<workspace::RuntimeFigures> measured_figures(const evidence::Validation &validation,
                                                          const workspace::RuntimeFigures &known);

// low, medium or high, by registers per thread.
std::string register_pressure(int registers_per_thread);

}  // namespace pyc::hpc
