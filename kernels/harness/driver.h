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
  decltype(&cuMemGetAllocationGranularity) allocation_granularity = nullptr;
  decltype(&cuMemAddressReserve) address_reserve = nullptr;
  decltype(&cuMemAddressFree) address_free = nullptr;
  decltype(&cuMemCreate) memory_create = nullptr;
  decltype(&cuMemRelease) memory_release = nullptr;
  decltype(&cuMemMap) memory_map = nullptr;
  decltype(&cuMemUnmap) memory_unmap = nullptr;
  decltype(&cuMemSetAccess) memory_set_access = nullptr;

  // Whether pages can be mapped one by one.
  bool can_map() const {
    return allocation_granularity && address_reserve && address_free && memory_create && memory_release && memory_map &&
           memory_unmap && memory_set_access;
  }

  // Null members where the driver is too old for them.
  static Driver open();
};

}  // namespace pyc::harness

#endif
