// Choosing among the rows of the CUTLASS set.
#pragma once

#include <span>

#include "compiler/cutlass_kernels/cutlass/kernel.h"
#include "compiler/runtime/problem.h"
#include "compiler/runtime/requirements.h"

namespace pyc::runtime {

// The rows that are compiled into this library.
std::span<const CutlassKernel *const> cutlass_kernels();

// The row that serves the problem; otherwise `kernel` is nullptr and the objection says why.
struct CutlassSelection {
  const CutlassKernel *kernel = nullptr;
  Objection objection = {};
};

// Launches nothing. The device of the problem must be current, if the rows were compiled for one.
CutlassSelection select_cutlass(std::span<const CutlassKernel *const> kernels, const Problem &problem);

}  // namespace pyc::runtime
