#include "compiler/runtime/cutlass.h"

#include <algorithm>
#include <string>

#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

// The row for the problem's arch, dtype and layout, or the first of the three that no row has.
CutlassSelection find_row(std::span<const CutlassKernel *const> kernels, const Problem &problem) {
  const pyc_gemm_desc &d = problem.desc();
  const std::string arch = arch_name(problem.arch);
  pyc_reason missing = PYC_REASON_ARCH;
  for (const CutlassKernel *kernel : kernels) {
    if (arch != kernel->arch) continue;
    if (missing == PYC_REASON_ARCH) missing = PYC_REASON_DTYPE;
    if (kernel->dtype != d.dtype) continue;
    missing = PYC_REASON_LAYOUT;
    if (kernel->layout == d.layout) return {kernel};
  }
  const std::string detail = missing == PYC_REASON_ARCH    ? arch
                             : missing == PYC_REASON_DTYPE ? dtype_name(d.dtype)
                                                           : layout_name(d.layout);
  return {nullptr, {missing, detail}};
}

Objection check_limits(const pyc_gemm_desc &d) {
  if (std::max({d.m, d.n, d.k}) > kCutlassMaxSize) {
    return {PYC_REASON_SIZE_LIMIT, "a size is beyond " + std::to_string(kCutlassMaxSize)};
  }
  if (std::max({d.lda, d.ldb, d.ldc}) > kCutlassMaxLd) {
    return {PYC_REASON_SIZE_LIMIT, "a leading dimension is beyond " + std::to_string(kCutlassMaxLd)};
  }
  return {};
}

Objection check_row(const CutlassKernel &kernel, const Problem &problem) {
  if ((kernel.families & bit_of(problem.family)) == 0) {
    return {PYC_REASON_FAMILY, pyc_shape_family_name(problem.family)};
  }
  if (Objection limits = check_limits(problem.desc()); limits.reason != PYC_REASON_NONE) return limits;
  Objection requirements = check_requirements(kernel.requirements, problem);
  if (requirements.reason != PYC_REASON_NONE) return requirements;
  const pyc_gemm_args probe = problem.probe();
  const char *const objection = kernel.objection(&probe);
  if (objection == nullptr) return {};
  return {PYC_REASON_KERNEL_REFUSED, std::string(kernel.symbol) + ": " + objection};
}

}  // namespace

std::span<const CutlassKernel *const> cutlass_kernels() { return {kCutlassKernels, kCutlassKernelCount}; }

CutlassSelection select_cutlass(std::span<const CutlassKernel *const> kernels, const Problem &problem) {
  if (kernels.empty()) return {nullptr, {PYC_REASON_BUILT_WITHOUT_CUTLASS, {}}};
  CutlassSelection found = find_row(kernels, problem);
  if (found.kernel == nullptr) return found;
  const Objection objection = check_row(*found.kernel, problem);
  return {objection.reason == PYC_REASON_NONE ? found.kernel : nullptr, objection};
}

}  // namespace pyc::runtime
