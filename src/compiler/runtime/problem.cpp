#include "compiler/runtime/problem.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

constexpr int kMaxLogAlignment = 8;

uint8_t log_alignment(const void *pointer) {
  return uint8_t(std::min(std::countr_zero(reinterpret_cast<uintptr_t>(pointer)), kMaxLogAlignment));
}

}  // namespace

Call make_call(const pyc_gemm_desc &desc, float alpha, const void *a, const void *b, float beta, void *c,
               void *stream) {
  const pyc_gemm_args args = {
      sizeof(pyc_gemm_args), desc.m, desc.n, desc.k, a, desc.lda, b, desc.ldb, c, desc.ldc, alpha, beta, nullptr, 0};
  return {desc, args, stream};
}

PlanKey plan_key(const Call &call) {
  const pyc_gemm_desc &d = call.desc;
  return {d.m,
          d.n,
          d.k,
          d.lda,
          d.ldb,
          d.ldc,
          uint8_t(d.dtype),
          uint8_t(d.layout),
          uint8_t(d.precision),
          uint8_t(d.determinism),
          log_alignment(call.args.a),
          log_alignment(call.args.b),
          log_alignment(call.args.c),
          0};
}

size_t PlanKeyHash::operator()(const PlanKey &key) const {
  static_assert(sizeof(PlanKey) == 7 * sizeof(uint64_t), "every byte of the key is hashed");
  uint64_t words[7];
  std::memcpy(words, &key, sizeof words);
  uint64_t hash = 0;
  for (uint64_t word : words) {
    hash = (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio
  }
  return size_t(hash ^ (hash >> 32));
}

std::string Problem::selector() const {
  return std::string("gemm/") + dtype_name(desc().dtype) + "/" + layout_name(desc().layout) + "/" +
         pyc_shape_family_name(family);
}

Problem make_problem(const Call &call, int arch, bool capturing) {
  const PlanKey key = plan_key(call);
  return {call,
          pyc_gemm_shape_family(call.desc.m, call.desc.n, call.desc.k),
          arch,
          capturing,
          1u << key.log_align_a,
          1u << key.log_align_b,
          1u << key.log_align_c};
}

}  // namespace pyc::runtime
