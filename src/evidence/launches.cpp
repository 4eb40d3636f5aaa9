#include "evidence/record_fields.h"

namespace pyc::evidence {
namespace {

void get_extent(json::ObjectReader &fields, const char *key, std::int64_t (&extent)[3]) {
  const std::vector<std::int64_t> values = fields.integers(key, 1, INT32_MAX);
  if (values.size() != 3) {
    if (!fields.failed()) fields.refuse(key, "a list of three integers");
    return;
  }
  for (int i = 0; i < 3; ++i) extent[i] = values[i];
}

int get_count(json::ObjectReader &fields, const char *key) {
  return static_cast<int>(fields.integer(key, 0, INT32_MAX));
}

json::Json to_value(const KernelLaunch &launch) {
  json::Json value = json::Json::object();
  value["name"] = launch.name;
  value["grid"] = launch.grid;
  value["block"] = launch.block;
  value["registers_per_thread"] = launch.registers_per_thread;
  value["static_shared_bytes"] = launch.static_shared_bytes;
  value["dynamic_shared_bytes"] = launch.dynamic_shared_bytes;
  value["local_bytes"] = launch.local_bytes;
  value["blocks_per_sm"] = launch.blocks_per_sm;
  value["occupancy"] = launch.occupancy;
  return value;
}

KernelLaunch get_kernel_launch(json::ObjectReader fields) {
  KernelLaunch launch;
  launch.name = fields.string("name");
  get_extent(fields, "grid", launch.grid);
  get_extent(fields, "block", launch.block);
  launch.registers_per_thread = get_count(fields, "registers_per_thread");
  launch.static_shared_bytes = get_count(fields, "static_shared_bytes");
  launch.dynamic_shared_bytes = get_count(fields, "dynamic_shared_bytes");
  launch.local_bytes = get_count(fields, "local_bytes");
  launch.blocks_per_sm = get_count(fields, "blocks_per_sm");
  launch.occupancy = fields.number("occupancy", 0, 1);
  fields.finish();
  return launch;
}

}  // namespace

json::Json to_value(const Launches &launches) {
  json::Json value = json::Json::object();
  value["capture"] = launches.capture;
  if (launches.workspace_bytes) value["workspace_bytes"] = *launches.workspace_bytes;
  json::Json &kernels = value["kernels"] = json::Json::array();
  for (const KernelLaunch &launch : launches.kernels) kernels.push_back(to_value(launch));
  return value;
}

Launches get_launches(json::ObjectReader &fields) {
  Launches launches;
  launches.capture = fields.string("capture");
  launches.workspace_bytes = fields.optional_integer("workspace_bytes", 0, INT64_MAX);
  for (const json::ObjectReader &kernel : fields.objects("kernels"))
    launches.kernels.push_back(get_kernel_launch(kernel));
  return launches;
}

std::vector<std::string> kernel_names(const Launches &launches) {
  std::vector<std::string> names;
  for (const KernelLaunch &kernel : launches.kernels) names.push_back(kernel.name);
  return names;
}

}  // namespace pyc::evidence
