// The few driver functions that the runtime has no counterpart for, looked up at run time: nothing links libcuda.
#ifndef PYC_HARNESS_DRIVER_H
#define PYC_HARNESS_DRIVER_H

#include <cuda.h>

namespace pyc::harness {

struct Driver {
  decltype(&cuGraphKernelNodeGetParams) graph_kernel_node_params = nullptr;
  decltype(&cuKernelGetFunction) kernel_function = nullptr;
  decltype(&cuFuncGetName) function_name = nullptr;  // null before CUDA 12.3
  decltype(&cuFuncGetAttribute) function_attribute = nullptr;
  decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) blocks_per_sm = nullptr;

  // Null members where the driver is too old for them.
  static Driver open();
};

}  // namespace pyc::harness

#endif
