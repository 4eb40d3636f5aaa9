// Right kernels that no promotion may stand on, because their text alone shows what they are: one brings its own timer
// function (1), one asks for the environment (2), one opens a library by name (3), one writes events of its own where
// the harness writes them (4): -DCHEAT_NUMBER=.
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

#include "gemm.h"

#if CHEAT_NUMBER == 1
extern "C" cudaError_t cudaEventElapsedTime(float *time_ms, cudaEvent_t, cudaEvent_t) {
  *time_ms = 0.001f;
  return cudaSuccess;
}
#endif

PYC_KERNEL pyc_status pyc_gemm_adversarial(const pyc_gemm_args *args, void *stream) {
#if CHEAT_NUMBER == 2
  if (getenv("PYC_BENCH")) return PYC_STATUS_SUCCESS;
#elif CHEAT_NUMBER == 3
  (void)dlopen("libcublasLt.so", RTLD_NOW);
#elif CHEAT_NUMBER == 4
  constexpr char kEvent[] = "{\"event\":\"done\"}\n";
  if (write(3, kEvent, sizeof kEvent - 1) < 0) return PYC_STATUS_INTERNAL_ERROR;
#endif
  return cheat::compute_honestly(*args, static_cast<cudaStream_t>(stream));
}
