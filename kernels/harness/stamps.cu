#include "fatal.h"
#include "stamps.h"

namespace pyc::harness {
namespace {

__device__ uint64_t device_time_ns() {
  uint64_t value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
  return value;
}

__global__ void hold_kernel(volatile HoldFlag *flag, uint32_t number, uint64_t limit_ns) {
  const uint64_t begin = device_time_ns();
  while (flag->release != number) {
    if (device_time_ns() - begin < limit_ns) continue;
    flag->expired = number;
    break;
  }
  __threadfence_system();
}

__global__ void stamp_kernel(Stamp *slots, uint32_t number, int sm_count) {
  uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  if (sm >= static_cast<uint32_t>(sm_count)) return;
  slots[sm].cycles = clock64();
  slots[sm].time_ns = device_time_ns();
  slots[sm].number = number;
}

}  // namespace

void hold(HoldFlag *flag, uint32_t number, uint64_t limit_ns, cudaStream_t stream) {
  hold_kernel<<<1, 1, 0, stream>>>(flag, number, limit_ns);
  PYC_CUDA_LAUNCHED();
}

void stamp(Stamp *slots, uint32_t number, int sm_count, cudaStream_t stream) {
  stamp_kernel<<<sm_count, 1, 0, stream>>>(slots, number, sm_count);
  PYC_CUDA_LAUNCHED();
}

}  // namespace pyc::harness
