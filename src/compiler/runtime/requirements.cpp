#include "compiler/runtime/requirements.h"

#include <algorithm>
#include <initializer_list>

namespace pyc::runtime {
namespace {

struct Limit {
  const char *name;
  int64_t value, multiple;
};

std::string unmet(const Limit &limit) {
  return std::string(limit.name) + " is " + std::to_string(limit.value) + ", not a multiple of " +
         std::to_string(limit.multiple);
}

Objection check_multiples(std::initializer_list<Limit> limits, pyc_reason reason) {
  const auto broken = std::find_if(limits.begin(), limits.end(), [](const Limit &l) { return l.value % l.multiple; });
  return broken == limits.end() ? Objection{} : Objection{reason, unmet(*broken)};
}

}  // namespace

Objection check_requirements(const KernelRequirements &r, const Problem &problem) {
  const pyc_gemm_desc &d = problem.desc();
  Objection objection = check_multiples({{"m", d.m, r.m_multiple}, {"n", d.n, r.n_multiple}, {"k", d.k, r.k_multiple}},
                                        PYC_REASON_SIZE_MULTIPLE);
  if (objection.reason != PYC_REASON_NONE) return objection;
  objection =
      check_multiples({{"lda", d.lda, r.ld_multiple}, {"ldb", d.ldb, r.ld_multiple}, {"ldc", d.ldc, r.ld_multiple}},
                      PYC_REASON_LD_MULTIPLE);
  if (objection.reason != PYC_REASON_NONE) return objection;
  return check_multiples({{"alignment of a", problem.align_a, r.pointer_alignment},
                          {"alignment of b", problem.align_b, r.pointer_alignment},
                          {"alignment of c", problem.align_c, r.pointer_alignment}},
                         PYC_REASON_ALIGNMENT);
}

std::string arch_name(int arch) { return "sm" + std::to_string(arch); }

}  // namespace pyc::runtime
