// Which of cuBLASLt's algorithms is fastest for a problem on this device.
#pragma once

#include <string>
#include <vector>

#include "compiler/runtime/cublas_lt.h"

namespace pyc::runtime {

// An algorithm that the library confirmed.
struct LtAlgorithm {
  cublasLtMatmulAlgo_t algorithm;
  size_t workspace_bytes;
  int rank;  // its place in the library's proposal, from 1
};

struct LtChoice {
  LtAlgorithm algorithm;
  std::string why;  // for explanations
};

// Enqueues the call with that algorithm. The roles of A and B are swapped as in column_major.h.
cublasStatus_t lt_matmul(const LtLibrary &lt, cublasLtHandle_t handle, const LtDescriptors &descriptors,
                         const LtAlgorithm &algorithm, const Call &call);

// Times each of `algorithms` (at least one) on a stream and on scratch memory of its own, as large as the operands, and
// waits for it. Where that is impossible, for want of memory say, the first is chosen and `why` says so.
LtChoice fastest_algorithm(const LtLibrary &lt, cublasLtHandle_t handle, const LtDescriptors &descriptors,
                           const std::vector<LtAlgorithm> &algorithms, const Problem &problem);

}  // namespace pyc::runtime
