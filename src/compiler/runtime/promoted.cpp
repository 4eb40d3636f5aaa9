#include "compiler/runtime/promoted.h"

#include <algorithm>
#include <initializer_list>

#include "compiler/runtime/names.h"

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

Selection check_multiples(std::initializer_list<Limit> limits, pyc_reason reason) {
  const auto broken = std::find_if(limits.begin(), limits.end(), [](const Limit &l) { return l.value % l.multiple; });
  if (broken == limits.end()) return {nullptr, PYC_REASON_NONE, {}};
  return {nullptr, reason, unmet(*broken)};
}

// `requires` of the record against the problem; reason NONE if all is met.
Selection check_requirements(const KernelRequirements &r, const Problem &problem) {
  const pyc_gemm_desc &d = problem.desc();
  Selection checked = check_multiples({{"m", d.m, r.m_multiple}, {"n", d.n, r.n_multiple}, {"k", d.k, r.k_multiple}},
                                      PYC_REASON_SIZE_MULTIPLE);
  if (checked.reason != PYC_REASON_NONE) return checked;
  checked =
      check_multiples({{"lda", d.lda, r.ld_multiple}, {"ldb", d.ldb, r.ld_multiple}, {"ldc", d.ldc, r.ld_multiple}},
                      PYC_REASON_LD_MULTIPLE);
  if (checked.reason != PYC_REASON_NONE) return checked;
  return check_multiples({{"alignment of a", problem.align_a, r.pointer_alignment},
                          {"alignment of b", problem.align_b, r.pointer_alignment},
                          {"alignment of c", problem.align_c, r.pointer_alignment}},
                         PYC_REASON_ALIGNMENT);
}

std::string arch_name(int arch) { return "sm" + std::to_string(arch); }

bool has_part(std::string_view selector, size_t index, std::string_view part) {
  for (; index > 0; --index) selector.remove_prefix(selector.find('/') + 1);
  return selector.substr(0, selector.find('/')) == part;
}

}  // namespace

std::span<const PromotedKernel> promoted_kernels() { return {kPromotedKernels, kPromotedKernelCount}; }

const PromotedKernel *find_promoted(std::span<const PromotedKernel> kernels, std::string_view symbol) {
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const auto &k) { return symbol == k.symbol; });
  return found == kernels.end() ? nullptr : &*found;
}

Selection select_promoted(std::span<const PromotedKernel> kernels, const Problem &problem) {
  const std::string selector = problem.selector(), arch = arch_name(problem.arch);
  std::string other_archs;
  for (const PromotedKernel &kernel : kernels) {
    if (selector != kernel.selector) continue;
    if (arch == kernel.arch) return admit_promoted(kernel, problem);
    other_archs += std::string(" ") + kernel.arch;
  }
  if (other_archs.empty()) return {nullptr, PYC_REASON_NO_RECORD, selector};
  return {nullptr, PYC_REASON_ARCH, selector + " is promoted for" + other_archs + "; the device is " + arch};
}

Selection admit_promoted(const PromotedKernel &kernel, const Problem &problem) {
  const pyc_gemm_desc &desc = problem.desc();
  if (arch_name(problem.arch) != kernel.arch) {
    return {nullptr, PYC_REASON_ARCH,
            std::string(kernel.symbol) + " is for " + kernel.arch + "; the device is " + arch_name(problem.arch)};
  }
  if (!has_part(kernel.selector, 1, dtype_name(desc.dtype))) return {nullptr, PYC_REASON_DTYPE, kernel.selector};
  if (!has_part(kernel.selector, 2, layout_name(desc.layout))) return {nullptr, PYC_REASON_LAYOUT, kernel.selector};
  if (desc.determinism == PYC_DETERMINISM_REPEATABLE) return {nullptr, PYC_REASON_DETERMINISM, kernel.symbol};
  Selection checked = check_requirements(kernel.requirements, problem);
  if (checked.reason == PYC_REASON_NONE) checked.kernel = &kernel;
  return checked;
}

}  // namespace pyc::runtime
