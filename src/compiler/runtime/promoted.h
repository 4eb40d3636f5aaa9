// Choosing among the rows of the generated registry.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compiler/cutlass_kernels/promoted_kernel.h"
#include "compiler/runtime/problem.h"

namespace pyc::runtime {

// The rows that are compiled into this library.
std::span<const PromotedKernel> promoted_kernels();

// The row of that symbol, or nullptr.
const PromotedKernel *find_promoted(std::span<const PromotedKernel> kernels, std::string_view symbol);

// The row that serves the problem; otherwise `kernel` is nullptr and the reason says why.
struct Selection {
  const PromotedKernel *kernel;
  pyc_reason reason;
  std::string detail;
};

// The record of the problem's selector and arch, if it admits the problem.
Selection select_promoted(std::span<const PromotedKernel> kernels, const Problem &problem);

// `kernel`, whatever its family, if its arch, dtype, layout and requirements admit the problem.
Selection admit_promoted(const PromotedKernel &kernel, const Problem &problem);

}  // namespace pyc::runtime
