#include <algorithm>

#include "hpc/roofline.h"
#include "toolchain/arch.h"
#include "workspace/families.h"

namespace pyc::hpc {
namespace {

constexpr double kNsPerSecond = 1e9, kHzPerKhz = 1e3, kTransfersPerClock = 2, kBitsPerByte = 8, kFlopsPerFma = 2;

// Dense fp16 and bf16 multiply-adds per SM and clock (H100 and L40S data sheets: peak rate / SMs / boost clock / 2).
double tensor_fmas_per_sm(const std::string &compute_capability) {
  return compute_capability == "9.0" ? 2048 : compute_capability == "8.9" ? 512 : 0;
}

std::optional<double> peak_flops(const std::string &dtype, const evidence::Gpu &gpu, Units units) {
  const toolchain::Arch *arch = toolchain::arch_of_compute_capability(gpu.compute_capability);
  if (!arch || gpu.sm_count <= 0 || gpu.sm_clock_max_khz <= 0) return std::nullopt;
  if (dtype == "fp32" && units == Units::kOfDtype)
    return toolchain::fp32_peak_flops(*arch, gpu.sm_count, gpu.sm_clock_max_khz);
  const double fmas = tensor_fmas_per_sm(gpu.compute_capability);
  if (fmas == 0) return std::nullopt;
  return kFlopsPerFma * fmas * gpu.sm_count * static_cast<double>(gpu.sm_clock_max_khz) * kHzPerKhz;
}

std::optional<double> bytes_per_second(const evidence::Gpu &gpu) {
  if (gpu.memory_clock_max_khz <= 0 || gpu.memory_bus_bits <= 0) return std::nullopt;
  const double clock_hz = static_cast<double>(gpu.memory_clock_max_khz) * kHzPerKhz;
  return kTransfersPerClock * clock_hz * gpu.memory_bus_bits / kBitsPerByte;
}

}  // namespace

std::optional<Roofline> roofline(const std::string &dtype, const evidence::Gpu &gpu, Units units) {
  const auto flops = peak_flops(dtype, gpu, units), bytes = bytes_per_second(gpu);
  if (!flops || !bytes) return std::nullopt;
  return Roofline{*flops, *bytes};
}

std::optional<double> moved_bytes(const evidence::Shape &shape, const std::string &dtype) {
  const auto element = static_cast<double>(workspace::element_bytes(dtype));
  if (element == 0) return std::nullopt;
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  return element * (m * k + k * n + m * n);
}

std::optional<double> physical_floor_ns(const evidence::Shape &shape, const std::string &dtype,
                                        const evidence::Gpu &gpu, Units units) {
  const auto roof = roofline(dtype, gpu, units);
  const auto element = static_cast<double>(workspace::element_bytes(dtype));
  if (!roof || element == 0) return std::nullopt;
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  const double output_bytes = std::max(0.0, m * n * element - static_cast<double>(gpu.l2_bytes));
  const double bytes = (m * k + k * n) * element + output_bytes;
  return kNsPerSecond * std::max(2 * m * n * k / roof->flops_per_second, bytes / roof->bytes_per_second);
}

}  // namespace pyc::hpc
