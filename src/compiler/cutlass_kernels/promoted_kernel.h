// The row type of the generated registry: one promoted kernel that was compiled into this library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pyc/kernel.h"

namespace pyc::runtime {

// The `requires` of kernel.json: the calls that the kernel admits. Each value is at least 1.
struct KernelRequirements {
  int64_t m_multiple, n_multiple, k_multiple;  // elements
  uint32_t pointer_alignment;                  // bytes, for A, B and C
  int64_t ld_multiple;                         // elements, for lda, ldb and ldc
};

struct PromotedKernel {
  const char *selector;                // "gemm/fp32/nn/square"
  const char *arch;                    // "sm90": compute capability 9.0 and no other
  const char *name;                    // the candidate
  const char *symbol;                  // "pyc_gemm_NAME"
  pyc_gemm_kernel run;                 // the function of that name
  pyc_gemm_workspace_query workspace;  // "pyc_gemm_NAME_workspace", or nullptr if the kernel needs none
  KernelRequirements requirements;
  int priority;
  const char *digest;         // of the candidate, 64 hexadecimal digits
  const char *source_sha256;  // of its kernel.cu
  const char *evidence;       // one line for explanations, for example "1.25x the incumbent (95 %: 1.24 to 1.26)"
  bool repeatable = false;    // every repeat of a call gave the same bits when it was validated
};

// Sorted by (selector, arch), at most one row for each pair. The array ends with an empty row that
// kPromotedKernelCount does not count, so that a registry without records is an array too.
extern const PromotedKernel kPromotedKernels[];
extern const size_t kPromotedKernelCount;

}  // namespace pyc::runtime

// Declares the functions of a promoted candidate, in generated_registry.cu only.
#define PYC_DECLARE_PROMOTED(symbol) extern "C" pyc_status symbol(const pyc_gemm_args *args, void *stream);
#define PYC_DECLARE_PROMOTED_WORKSPACE(symbol) extern "C" size_t symbol(const pyc_gemm_args *args);
