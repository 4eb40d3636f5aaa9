#include "session.h"

namespace pyc::harness {

void report_session(Session &session) {
  const Device &gpu = session.device;
  Line line("session");
  line.put("protocol", 1).put("nonce", session.request.nonce).begin_object("gpu");
  line.put("name", gpu.name).put("uuid", gpu.uuid).put("compute_capability", gpu.compute_capability);
  line.put("memory_bytes", gpu.memory_bytes).put("sm_count", gpu.sm_count).put("l2_bytes", gpu.l2_bytes);
  line.put("sm_clock_max_khz", gpu.sm_clock_max_khz).put("memory_clock_max_khz", gpu.memory_clock_max_khz);
  line.put("memory_bus_bits", gpu.memory_bus_bits);
  line.put("shared_memory_per_block_optin_bytes", gpu.shared_memory_per_block_optin_bytes).put("ecc", gpu.ecc);
  line.put("driver_version", gpu.driver_version).put("runtime_version", gpu.runtime_version).end_object();
  session.events.send(line);
}

}  // namespace pyc::harness
