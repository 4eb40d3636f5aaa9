#include "compiler/runtime/problem.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

constexpr int kMaxLogAlignment = 8;

uint8_t log_alignment(uintptr_t bytes) { return uint8_t(std::min(std::countr_zero(bytes), kMaxLogAlignment)); }

uint8_t log_alignment(const void *pointer) { return log_alignment(reinterpret_cast<uintptr_t>(pointer)); }

// Of the first matrix and of those that follow it.
uint32_t batch_alignment(const void *pointer, int64_t stride, const pyc_gemm_desc &desc) {
  const uintptr_t stride_bytes = desc.batch_count > 1 ? uintptr_t(stride * dtype_bytes(desc.dtype)) : 0;
  return 1u << log_alignment(reinterpret_cast<uintptr_t>(pointer) | stride_bytes);
}

}  // namespace

Call make_call(const pyc_gemm_desc &desc, float alpha, const void *a, const void *b, float beta, void *c,
               void *stream) {
  return {
      desc,
      {sizeof(pyc_gemm_args), desc.m, desc.n, desc.k, a, desc.lda, b, desc.ldb, c, desc.ldc, alpha, beta, nullptr, 0},
      stream};
}

PlanKey plan_key(const Call &call) {
  const pyc_gemm_desc &d = call.desc;
  return {d.m,
          d.n,
          d.k,
          d.lda,
          d.ldb,
          d.ldc,
          d.batch_count,
          d.stride_a,
          d.stride_b,
          d.stride_c,
          uint8_t(d.dtype),
          uint8_t(d.layout),
          uint8_t(d.precision),
          uint8_t(d.determinism),
          log_alignment(call.args.a),
          log_alignment(call.args.b),
          log_alignment(call.args.c),
          0};
}

// Two chains, so that the multiplications of one hide those of the other.
size_t PlanKeyHash::operator()(const PlanKey &key) const {
  constexpr size_t kWords = 11;
  static_assert(sizeof(PlanKey) == kWords * sizeof(uint64_t), "every byte of the key is hashed");
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio
  uint64_t words[kWords];
  std::memcpy(words, &key, sizeof words);
  uint64_t even = words[kWords - 1], odd = 0;
  for (size_t i = 0; i + 1 < kWords; i += 2) {
    even = (std::rotl(even, 5) ^ words[i]) * kMultiplier;
    odd = (std::rotl(odd, 5) ^ words[i + 1]) * kMultiplier;
  }
  const uint64_t hash = (std::rotl(even, 5) ^ odd) * kMultiplier;
  return size_t(hash ^ (hash >> 32));
}

std::string Problem::selector() const {
  return std::string("gemm/") + dtype_name(desc().dtype) + "/" + layout_name(desc().layout) + "/" +
         pyc_shape_family_name(family);
}

pyc_gemm_args Problem::probe() const {
  pyc_gemm_args args = call.args;
  args.a = reinterpret_cast<const void *>(uintptr_t(align_a));
  args.b = reinterpret_cast<const void *>(uintptr_t(align_b));
  args.c = reinterpret_cast<void *>(uintptr_t(align_c));
  return args;
}

Problem make_problem(const Call &call, int arch, bool capturing) {
  const pyc_gemm_desc &d = call.desc;
  return {call,
          pyc_gemm_shape_family(d.m, d.n, d.k),
          arch,
          capturing,
          false,
          batch_alignment(call.args.a, d.stride_a, d),
          batch_alignment(call.args.b, d.stride_b, d),
          batch_alignment(call.args.c, d.stride_c, d),
          PYC_WORKSPACE_BYTES};
}

}  // namespace pyc::runtime
