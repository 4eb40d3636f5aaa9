// A context, a plan and their memory that live until the exit handlers of the process, when CUDA is gone. The test is
// that the process ends with 0.
#include <cstdio>
#include <cuda_runtime_api.h>

#include "pyc/gemm.h"

namespace {

struct Global {
  pyc_context *context = nullptr;
  pyc_gemm_plan *plan = nullptr;
  ~Global() {
    pyc_gemm_plan_destroy(plan);
    pyc_context_destroy(context);
  }
};
Global global;  // made before CUDA's first use, and so destroyed after CUDA

int failed(const char *call) {
  std::printf("%s: %s\n", call, pyc_last_error_detail());
  return 1;
}

}  // namespace

int main() {
  const pyc_status created = pyc_context_create(0, &global.context);
  if (created == PYC_STATUS_NO_DEVICE) {
    std::printf("no GPU on this machine: %s\n", pyc_last_error_detail());
    return 0;
  }
  if (created != PYC_STATUS_SUCCESS) return failed("pyc_context_create");
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_TT, 64, 64, 64);
  constexpr size_t kBytes = 64 * 64 * 2;
  void *memory = nullptr;
  if (cudaMalloc(&memory, 2 * kBytes) != cudaSuccess) return 1;
  void *const c = static_cast<char *>(memory) + kBytes;
  if (pyc_gemm_plan_create(global.context, &desc, nullptr, &global.plan)) return failed("pyc_gemm_plan_create");
  if (pyc_gemm_warmup(global.context, &desc, nullptr, nullptr)) return failed("pyc_gemm_warmup");
  if (pyc_gemm_plan_run(global.plan, 1, memory, memory, 0, c, nullptr, 0, nullptr)) {
    return failed("pyc_gemm_plan_run");
  }
  return 0;
}
