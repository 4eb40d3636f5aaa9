// Device memory in which a product can run without touching the caller's matrices.
#pragma once

#include <cstddef>

#include "compiler/runtime/problem.h"

namespace pyc::runtime {

class Scratch {
 public:
  Scratch() = default;
  ~Scratch();  // waits for the device
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  // Room for the problem's operands, with exactly its alignments, and for workspace. A and B are filled, on `stream`,
  // with a constant that no dtype reads as zero, infinity or NaN. Errors: OUT_OF_MEMORY, DEVICE_ERROR.
  pyc_status allocate(const Problem &problem, size_t workspace_bytes, void *stream);

  // The problem's product in this memory: alpha 1, beta 0.
  Call call(const Problem &problem, void *stream) const;

 private:
  void *a_ = nullptr, *b_ = nullptr, *c_ = nullptr, *workspace_ = nullptr;
  size_t workspace_bytes_ = 0;
};

}  // namespace pyc::runtime
