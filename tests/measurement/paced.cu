// A plain fp32 kernel that is slower than itself by a known share: every block, when it has computed, waits for
// FRACTION of the time that it took, the launch's share included. The extra time lies inside the kernel, because a
// second launch would cost a microsecond of its own. -DFRACTION=0.03 makes it 3 % slower.
#include "../adversarial/speed/gemm.h"

#ifndef FRACTION
#define FRACTION 0.0
#endif

namespace cheat {
namespace {

constexpr long long kLaunchCycles = 5000;  // of an empty launch between two events, at the SM clock

__global__ void __launch_bounds__(kSide *kSide) paced_kernel(pyc_gemm_args g) {
  const long long begin = clock64();
  float sum[kEach][kEach] = {};
  compute(g, sum);
  store_each(g, sum, [&](int64_t place, float value) { static_cast<float *>(g.c)[place] = value; });
  const long long wait = static_cast<long long>((clock64() - begin + kLaunchCycles) * FRACTION);
  const long long computed = clock64();
  while (clock64() - computed < wait) {
  }
}

}  // namespace
}  // namespace cheat

PYC_KERNEL pyc_status pyc_gemm_adversarial(const pyc_gemm_args *args, void *stream) {
  cheat::paced_kernel<<<cheat::grid_of(*args), cheat::kSide * cheat::kSide, 0, static_cast<cudaStream_t>(stream)>>>(
      *args);
  return cheat::launched();
}
