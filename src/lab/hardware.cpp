#include "lab/hardware.h"

#include <algorithm>

#include "toolchain/doctor.h"
#include "toolchain/gpu.h"
#include "workspace/lab_baselines.h"

namespace pyc::lab {
namespace {

// "9.0" -> "sm90", "12.0" -> "sm120"; generic for what is no compute capability.
std::string arch_of(std::string capability) {
  std::erase(capability, '.');
  const bool is_number = !capability.empty() &&
                         std::all_of(capability.begin(), capability.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? "sm" + capability : workspace::kGenericArch;
}

void add_gpu(const Context &context, workspace::LabHardware &hardware) {
  const auto gpus = toolchain::query_gpus(context.environment);
  if (!gpus || gpus->empty()) return;
  const toolchain::GpuInfo &gpu = gpus->front();
  hardware.gpu_name = gpu.name;
  hardware.gpu_uuid = gpu.uuid;
  hardware.compute_capability = gpu.compute_capability;
  hardware.driver = gpu.driver;
  hardware.memory_bytes = gpu.memory_bytes;
  hardware.arch = arch_of(gpu.compute_capability);
  if (hardware.arch != workspace::kGenericArch) hardware.arch_source = "gpu";
}

}  // namespace

workspace::LabHardware examine_hardware(const Context &context) {
  const toolchain::HostInfo host = toolchain::host_info();
  workspace::LabHardware hardware;
  hardware.backend = kBackend;
  hardware.arch = workspace::kGenericArch;
  hardware.arch_source = "none";
  hardware.captured_utc = utc_iso(context.now());
  hardware.host = host.name;
  hardware.operating_system = host.operating_system;
  add_gpu(context, hardware);
  if (const auto nvcc = toolchain::find_nvcc(context.nvcc, context.environment)) {
    hardware.nvcc_path = nvcc->path.string();
    hardware.nvcc_version = nvcc->version;
  }
  return hardware;
}

}  // namespace pyc::lab
