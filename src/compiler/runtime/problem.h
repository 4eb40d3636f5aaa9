// A call and what the rungs need to know about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pyc/family.h"
#include "pyc/gemm.h"
#include "pyc/kernel.h"

namespace pyc::runtime {

// One pyc_gemm call after its arguments were checked. `args` has no workspace; a plan adds its own.
struct Call {
  pyc_gemm_desc desc;
  pyc_gemm_args args;
  void *stream;
};

Call make_call(const pyc_gemm_desc &desc, float alpha, const void *a, const void *b, float beta, void *c, void *stream);

// What a plan depends on, and nothing else: two calls with equal keys may share a plan. Alignments are the largest
// power of two that divides the address, as its logarithm, at most 8 (256 bytes).
struct PlanKey {
  int64_t m, n, k, lda, ldb, ldc;
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
  pyc_shape_family family;
  int arch;                            // 90 for sm90; 0 in a host context
  bool capturing;                      // the stream is being captured: nothing may be allocated or loaded
  uint32_t align_a, align_b, align_c;  // bytes, at most 256

  const pyc_gemm_desc &desc() const { return call.desc; }
  bool on_host() const { return arch == 0; }
  std::string selector() const;  // "gemm/fp32/nn/square"
};

Problem make_problem(const Call &call, int arch, bool capturing);

}  // namespace pyc::runtime
