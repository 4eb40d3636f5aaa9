#include "compiler/runtime/promoted.h"

#include <algorithm>

#include "compiler/runtime/names.h"
#include "compiler/runtime/requirements.h"

namespace pyc::runtime {
namespace {

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
  if (desc.determinism == PYC_DETERMINISM_REPEATABLE && !kernel.repeatable)
    return {nullptr, PYC_REASON_DETERMINISM, kernel.symbol};
  const Objection objection = check_requirements(kernel.requirements, problem);
  return {objection.reason == PYC_REASON_NONE ? &kernel : nullptr, objection.reason, objection.detail};
}

}  // namespace pyc::runtime
