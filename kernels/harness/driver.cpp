#include "driver.h"

#include <cuda_runtime_api.h>

namespace pyc::harness {
namespace {

template <class Function>
void look_up(const char *symbol, unsigned version, Function *function) {
  void *address = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  const cudaError_t error = cudaGetDriverEntryPointByVersion(symbol, &address, version, cudaEnableDefault, &result);
#else
  (void)version;
  const cudaError_t error = cudaGetDriverEntryPoint(symbol, &address, cudaEnableDefault, &result);
#endif
  const bool found = error == cudaSuccess && result == cudaDriverEntryPointSuccess;
  *function = found ? reinterpret_cast<Function>(address) : nullptr;
}

}  // namespace

Driver Driver::open() {
  Driver driver;
  look_up("cuGraphKernelNodeGetParams", 12000, &driver.graph_kernel_node_params);
  look_up("cuKernelGetFunction", 12000, &driver.kernel_function);
  look_up("cuFuncGetName", 12030, &driver.function_name);
  look_up("cuFuncGetAttribute", 12000, &driver.function_attribute);
  look_up("cuOccupancyMaxActiveBlocksPerMultiprocessor", 12000, &driver.blocks_per_sm);
  look_up("cuMemGetAllocationGranularity", 12000, &driver.allocation_granularity);
  look_up("cuMemAddressReserve", 12000, &driver.address_reserve);
  look_up("cuMemAddressFree", 12000, &driver.address_free);
  look_up("cuMemCreate", 12000, &driver.memory_create);
  look_up("cuMemRelease", 12000, &driver.memory_release);
  look_up("cuMemMap", 12000, &driver.memory_map);
  look_up("cuMemUnmap", 12000, &driver.memory_unmap);
  look_up("cuMemSetAccess", 12000, &driver.memory_set_access);
  return driver;
}

}  // namespace pyc::harness
