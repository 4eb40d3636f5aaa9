// The clock's small kernels: one that holds a stream, one that reads the clocks of every SM, and one that does nothing.
#ifndef PYC_HARNESS_STAMPS_H
#define PYC_HARNESS_STAMPS_H

#include <cstdint>
#include <cuda_runtime_api.h>

namespace pyc::harness {

// Shared with the host. The host raises `release` to the number of the hold; the kernel sets `expired` to it if the
// time limit came first.
struct HoldFlag {
  uint32_t release, expired;
};

// Keeps the stream busy until flag->release == number, at most limit_ns: a host that dies or blocks cannot hang the
// GPU.
void hold(HoldFlag *flag, uint32_t number, uint64_t limit_ns, cudaStream_t stream);

// What one SM's clocks said: cycles of its own counter, and the device-wide timer in ns.
struct Stamp {
  uint64_t cycles, time_ns;
  uint32_t number;
};

// Enqueues a kernel of `sm_count` blocks, each of which writes the slot of the SM on which it runs.
void stamp(Stamp *slots, uint32_t number, int sm_count, cudaStream_t stream);

}  // namespace pyc::harness

#endif
