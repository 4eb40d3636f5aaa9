// The device that this process measures on, and what the driver says about it.
#ifndef PYC_HARNESS_DEVICE_H
#define PYC_HARNESS_DEVICE_H

#include <cstdint>
#include <string>

namespace pyc::harness {

struct Device {
  std::string name, uuid, compute_capability;
  int64_t memory_bytes = 0, l2_bytes = 0;
  int sm_count = 0, sm_clock_max_khz = 0, memory_clock_max_khz = 0, memory_bus_bits = 0;
  int threads_per_sm = 0, shared_memory_per_block_optin_bytes = 0;
  bool ecc = false;
  int driver_version = 0, runtime_version = 0;
};

// Opens device 0. Throws Fatal: no_device where there is none, wrong_device where its compute capability is another one
// than `wanted` (empty: any).
Device open_device(const std::string &wanted);

}  // namespace pyc::harness

#endif
