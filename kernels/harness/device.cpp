#include "device.h"

#include <cstdio>
#include <cuda_runtime_api.h>

#include "fatal.h"

namespace pyc::harness {
namespace {

std::string uuid_text(const cudaUUID_t &uuid) {
  std::string out = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char byte[4];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += byte;
  }
  return out;
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  PYC_CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

void require_device() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return;
  const std::string why = error == cudaSuccess ? "the driver shows none" : cudaGetErrorString(error);
  throw Fatal{kExitCannotRun, "no_device", "no usable CUDA device: " + why, "", "", 0, ""};
}

}  // namespace

Device open_device(const std::string &wanted) {
  require_device();
  PYC_CUDA(cudaSetDevice(0));
  cudaDeviceProp properties{};
  PYC_CUDA(cudaGetDeviceProperties(&properties, 0));
  Device device;
  device.name = properties.name;
  device.uuid = uuid_text(properties.uuid);
  device.compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  if (!wanted.empty() && device.compute_capability != wanted) {
    throw Fatal{kExitCannotRun,
                "wrong_device",
                "the candidate is built for compute capability " + wanted + ", but " + device.name + " has " +
                    device.compute_capability,
                "",
                "",
                0,
                ""};
  }
  device.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  device.l2_bytes = properties.l2CacheSize;
  device.sm_count = properties.multiProcessorCount;
  device.memory_bus_bits = properties.memoryBusWidth;
  device.threads_per_sm = properties.maxThreadsPerMultiProcessor;
  device.shared_memory_per_block_optin_bytes = static_cast<int>(properties.sharedMemPerBlockOptin);
  device.ecc = properties.ECCEnabled != 0;
  device.sm_clock_max_khz = attribute(cudaDevAttrClockRate);
  device.memory_clock_max_khz = attribute(cudaDevAttrMemoryClockRate);
  PYC_CUDA(cudaDriverGetVersion(&device.driver_version));
  PYC_CUDA(cudaRuntimeGetVersion(&device.runtime_version));
  return device;
}

}  // namespace pyc::harness
