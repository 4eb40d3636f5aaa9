#include "launches.h"

#include <cuda_runtime_api.h>

#include "capture.h"
#include "fatal.h"

namespace pyc::harness {
namespace {

int64_t attribute(const Driver &driver, CUfunction function, CUfunction_attribute which) {
  int value = 0;
  if (driver.function_attribute) (void)driver.function_attribute(&value, which, function);
  return value;
}

void describe_function(Launch &launch, CUfunction function, const Driver &driver, const Device &device) {
  const char *name = nullptr;
  if (driver.function_name && driver.function_name(&name, function) == CUDA_SUCCESS && name) launch.name = name;
  launch.registers_per_thread = static_cast<int>(attribute(driver, function, CU_FUNC_ATTRIBUTE_NUM_REGS));
  launch.static_shared_bytes = attribute(driver, function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  launch.local_bytes = attribute(driver, function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  const int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  if (!driver.blocks_per_sm) return;
  (void)driver.blocks_per_sm(&launch.blocks_per_sm, function, static_cast<int>(threads),
                             static_cast<size_t>(launch.dynamic_shared_bytes));
  launch.occupancy = static_cast<double>(launch.blocks_per_sm * threads) / device.threads_per_sm;
}

Launch describe(cudaGraphNode_t node, const Driver &driver, const Device &device) {
  Launch launch;
  CUDA_KERNEL_NODE_PARAMS parameters{};
  if (!driver.graph_kernel_node_params || driver.graph_kernel_node_params(node, &parameters) != CUDA_SUCCESS) {
    return launch;
  }
  launch.grid[0] = parameters.gridDimX, launch.grid[1] = parameters.gridDimY, launch.grid[2] = parameters.gridDimZ;
  launch.block[0] = parameters.blockDimX, launch.block[1] = parameters.blockDimY,
  launch.block[2] = parameters.blockDimZ;
  launch.dynamic_shared_bytes = parameters.sharedMemBytes;
  CUfunction function = parameters.func;
  if (!function && parameters.kern && driver.kernel_function) (void)driver.kernel_function(&function, parameters.kern);
  if (function) describe_function(launch, function, driver, device);
  return launch;
}

}  // namespace

Launches capture_launches(pyc_gemm_kernel run, const pyc_gemm_args &args, const Driver &driver, const Device &device) {
  const CapturedCall call(run, args);
  Launches launches;
  launches.workspace_bytes = args.workspace_bytes;
  launches.capture = call.refusal();
  if (!launches.capture.empty()) return launches;
  launches.capture = "ok";
  for (const cudaGraphNode_t node : call.nodes()) {
    cudaGraphNodeType type{};
    PYC_CUDA(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeKernel) launches.kernels.push_back(describe(node, driver, device));
  }
  return launches;
}

}  // namespace pyc::harness
