// A call and what the rungs need to know about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pyc/family.h"
#include "pyc/gemm.h"
#include "pyc/kernel.h"

namespace pyc::runtime {

constexpr bool a_is_transposed(int32_t layout) { return layout == PYC_LAYOUT_TN || layout == PYC_LAYOUT_TT; }
constexpr bool b_is_transposed(int32_t layout) { return layout == PYC_LAYOUT_NT || layout == PYC_LAYOUT_TT; }

// One call after its arguments were checked. `args` is the first product of the batch. When a plan runs the call,
// args.workspace has at least the bytes that the plan asked for, whoever gave them.
struct Call {
  pyc_gemm_desc desc;
  pyc_gemm_args args;
  void *stream;
};

Call make_call(const pyc_gemm_desc &desc, float alpha, const void *a, const void *b, float beta, void *c, void *stream);

// `bytes` is a power of two.
inline bool is_multiple(const void *address, uint32_t bytes) {
  return (reinterpret_cast<uintptr_t>(address) & (bytes - 1)) == 0;
}

// What a plan depends on, and nothing else: two calls with equal keys may share a plan. Alignments are the largest
// power of two that divides the address, as its logarithm, at most 8 (256 bytes).
struct PlanKey {
  int64_t m, n, k, lda, ldb, ldc, batch_count, stride_a, stride_b, stride_c;
  uint8_t dtype, layout, precision, determinism, log_align_a, log_align_b, log_align_c, unused;

  bool operator==(const PlanKey &) const = default;
};

PlanKey plan_key(const Call &call);

struct PlanKeyHash {
  size_t operator()(const PlanKey &key) const;
};

// A call as the rungs consider it. Made only when there is no plan yet.
struct Problem {
  Call call;
  pyc_shape_family family;             // of one product
  int arch;                            // 90 for sm90; 0 in a host context
  bool capturing;                      // the stream is being captured: nothing may be allocated or loaded
  bool may_measure;                    // the plan will be kept, so that it may cost time on the device
  uint32_t align_a, align_b, align_c;  // bytes that every matrix of the batch is a multiple of, at most 256
  size_t max_workspace_bytes;          // no plan may need more

  const pyc_gemm_desc &desc() const { return call.desc; }
  bool on_host() const { return arch == 0; }
  bool is_batch() const { return call.desc.batch_count > 1; }
  std::string selector() const;  // "gemm/fp32/nn/square"

  // The arguments of one product, with pointers that stand for the least aligned of the batch: to be asked about, and
  // never followed.
  pyc_gemm_args probe() const;
};

Problem make_problem(const Call &call, int arch, bool capturing);

}  // namespace pyc::runtime
