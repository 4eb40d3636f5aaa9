// Which kernels one call launches, read from a graph that the call was captured into.
#ifndef PYC_HARNESS_LAUNCHES_H
#define PYC_HARNESS_LAUNCHES_H

#include <cstdint>
#include <string>
#include <vector>

#include "device.h"
#include "driver.h"
#include "pyc/kernel.h"

namespace pyc::harness {

struct Launch {
  std::string name;
  int64_t grid[3] = {}, block[3] = {};
  int registers_per_thread = 0;
  int64_t static_shared_bytes = 0, dynamic_shared_bytes = 0, local_bytes = 0;
  int blocks_per_sm = 0;
  double occupancy = 0;  // resident threads over what an SM can hold, 0..1
};

struct Launches {
  std::string capture;         // "ok", or why the call cannot be captured
  size_t workspace_bytes = 0;  // of the call
  std::vector<Launch> kernels;
};

// Captures one call on a stream of its own; nothing is executed.
Launches capture_launches(pyc_gemm_kernel run, const pyc_gemm_args &args, const Driver &driver, const Device &device);

}  // namespace pyc::harness

#endif
