#include "evidence/record_fields.h"

namespace pyc::evidence {
namespace {

// A figure of zero is one that nobody could tell.
void put_figure(json::Json &object, const char *key, std::int64_t value) {
  if (value != 0) object[key] = value;
}

std::int64_t get_figure(json::ObjectReader &fields, const char *key, std::int64_t maximum = INT64_MAX) {
  return fields.optional_integer(key, 0, maximum).value_or(0);
}

}  // namespace

json::Json to_value(const Gpu &gpu) {
  json::Json value = json::Json::object();
  value["name"] = gpu.name;
  value["uuid"] = gpu.uuid;
  value["compute_capability"] = gpu.compute_capability;
  put_optional(value, "driver", gpu.driver);
  put_figure(value, "driver_cuda_version", gpu.driver_cuda_version);
  put_figure(value, "runtime_cuda_version", gpu.runtime_cuda_version);
  put_figure(value, "memory_bytes", gpu.memory_bytes);
  put_figure(value, "l2_bytes", gpu.l2_bytes);
  put_figure(value, "shared_memory_per_block_optin_bytes", gpu.shared_memory_per_block_optin_bytes);
  put_figure(value, "sm_count", gpu.sm_count);
  put_figure(value, "memory_bus_bits", gpu.memory_bus_bits);
  put_figure(value, "sm_clock_max_khz", gpu.sm_clock_max_khz);
  put_figure(value, "memory_clock_max_khz", gpu.memory_clock_max_khz);
  put_optional(value, "power_limit_w", gpu.power_limit_w);
  if (gpu.ecc) value["ecc"] = *gpu.ecc;
  if (gpu.mig) value["mig"] = *gpu.mig;
  return value;
}

Gpu get_gpu(json::ObjectReader fields) {
  Gpu gpu;
  gpu.name = fields.string("name");
  gpu.uuid = fields.string("uuid");
  gpu.compute_capability = fields.string("compute_capability");
  gpu.driver = fields.optional_string("driver").value_or("");
  gpu.driver_cuda_version = static_cast<int>(get_figure(fields, "driver_cuda_version", INT32_MAX));
  gpu.runtime_cuda_version = static_cast<int>(get_figure(fields, "runtime_cuda_version", INT32_MAX));
  gpu.memory_bytes = get_figure(fields, "memory_bytes");
  gpu.l2_bytes = get_figure(fields, "l2_bytes");
  gpu.shared_memory_per_block_optin_bytes = get_figure(fields, "shared_memory_per_block_optin_bytes");
  gpu.sm_count = static_cast<int>(get_figure(fields, "sm_count", INT32_MAX));
  gpu.memory_bus_bits = static_cast<int>(get_figure(fields, "memory_bus_bits", INT32_MAX));
  gpu.sm_clock_max_khz = get_figure(fields, "sm_clock_max_khz");
  gpu.memory_clock_max_khz = get_figure(fields, "memory_clock_max_khz");
  gpu.power_limit_w = fields.optional_number("power_limit_w");
  gpu.ecc = fields.optional_boolean("ecc");
  gpu.mig = fields.optional_boolean("mig");
  fields.finish();
  return gpu;
}

}  // namespace pyc::evidence
