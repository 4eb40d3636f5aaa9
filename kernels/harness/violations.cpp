#include "violations.h"

namespace pyc::harness {
namespace {

// What a multiple is missed by: one, and half of it, which a kernel that asks for less would serve.
std::vector<int64_t> misses_of(int64_t multiple) {
  if (multiple == 1) return {};
  if (multiple % 2 || multiple == 2) return {1};
  return {1, multiple / 2};
}

void shrink_extents(const Requires &requires_, const pyc_gemm_args &args, std::vector<Violation> &out) {
  const auto shrink = [&](const char *name, int64_t pyc_gemm_args::*extent, int64_t multiple) {
    for (const int64_t miss : misses_of(multiple)) {
      Violation violation{"", args};
      violation.args.*extent -= miss;
      violation.what = std::string(name) + " = " + std::to_string(violation.args.*extent) + " is not a multiple of " +
                       std::to_string(multiple);
      out.push_back(violation);
    }
  };
  shrink("m", &pyc_gemm_args::m, requires_.m_multiple);
  shrink("n", &pyc_gemm_args::n, requires_.n_multiple);
  shrink("k", &pyc_gemm_args::k, requires_.k_multiple);
}

void grow_leading_dimensions(const Requires &requires_, const pyc_gemm_args &args, std::vector<Violation> &out) {
  const auto grow = [&](const char *name, int64_t pyc_gemm_args::*ld) {
    for (const int64_t miss : misses_of(requires_.ld_multiple)) {
      Violation violation{"", args};
      violation.args.*ld += miss;
      violation.what = std::string(name) + " = " + std::to_string(violation.args.*ld) + " is not a multiple of " +
                       std::to_string(requires_.ld_multiple);
      out.push_back(violation);
    }
  };
  grow("lda", &pyc_gemm_args::lda);
  grow("ldb", &pyc_gemm_args::ldb);
  grow("ldc", &pyc_gemm_args::ldc);
}

void misalign_pointers(const Requires &requires_, int64_t bytes, const pyc_gemm_args &args,
                       std::vector<Violation> &out) {
  const auto where = [&](const char *name) {
    return std::string(name) + " is aligned to " + std::to_string(bytes) + " bytes, not " +
           std::to_string(requires_.pointer_alignment);
  };
  Violation a{where("a"), args}, b{where("b"), args}, c{where("c"), args};
  a.args.a = static_cast<const char *>(args.a) + bytes;
  b.args.b = static_cast<const char *>(args.b) + bytes;
  c.args.c = static_cast<char *>(args.c) + bytes;
  out.insert(out.end(), {a, b, c});
}

}  // namespace

std::vector<Violation> violations_of(const Requires &requires_, DType dtype, const pyc_gemm_args &args) {
  std::vector<Violation> out;
  const Shape shape{args.m, args.n, args.k, false};
  if (const std::string why = unmet(requires_, shape); !why.empty()) {
    out.push_back({why, args});
    return out;
  }
  shrink_extents(requires_, args, out);
  grow_leading_dimensions(requires_, args, out);
  const int64_t element = element_bytes(dtype), half = requires_.pointer_alignment / 2;
  if (element <= half) misalign_pointers(requires_, element, args, out);
  if (element < half) misalign_pointers(requires_, half, args, out);
  return out;
}

}  // namespace pyc::harness
