#include "evidence/harness_events.h"

#include <algorithm>
#include <fmt/format.h>

#include "evidence/record_fields.h"

namespace pyc::evidence {
namespace {

constexpr int kProtocol = 1;

Gpu get_session_gpu(json::ObjectReader fields) {
  const auto count = [&](const char *key) { return static_cast<int>(fields.integer(key, 0, INT32_MAX)); };
  const auto figure = [&](const char *key) { return fields.integer(key, 0, INT64_MAX); };
  Gpu gpu;
  gpu.name = fields.string("name");
  gpu.uuid = fields.string("uuid");
  gpu.compute_capability = fields.string("compute_capability");
  gpu.memory_bytes = figure("memory_bytes");
  gpu.sm_count = count("sm_count");
  gpu.l2_bytes = figure("l2_bytes");
  gpu.sm_clock_max_khz = figure("sm_clock_max_khz");
  gpu.memory_clock_max_khz = figure("memory_clock_max_khz");
  gpu.memory_bus_bits = count("memory_bus_bits");
  gpu.shared_memory_per_block_optin_bytes = figure("shared_memory_per_block_optin_bytes");
  gpu.ecc = fields.boolean("ecc");
  gpu.driver_cuda_version = count("driver_version");
  gpu.runtime_cuda_version = count("runtime_version");
  fields.finish();
  return gpu;
}

struct Samples {
  std::string cache;
  std::vector<double> time_ns, sm_clock_mhz;
  std::vector<std::int64_t> order;
  int retaken = 0;
};

Samples get_samples(json::ObjectReader &fields) {
  Samples samples;
  samples.cache = fields.one_of("cache", {"cold", "warm"});
  samples.time_ns = fields.numbers("time_ns");
  samples.order = fields.integers("order", 0, INT64_MAX);
  samples.sm_clock_mhz = fields.numbers("sm_clock_mhz");
  samples.retaken = static_cast<int>(fields.integer("retaken", 0, INT32_MAX));
  if (fields.failed()) return samples;
  if (samples.time_ns.empty()) fields.refuse("time_ns", "at least one sample");
  if (samples.order.size() != samples.time_ns.size()) fields.refuse("order", "one place per sample");
  if (!samples.sm_clock_mhz.empty() && samples.sm_clock_mhz.size() != samples.time_ns.size())
    fields.refuse("sm_clock_mhz", "one clock per sample, or none");
  return samples;
}

// What there is to say about an arm beside its name: for cuBLASLt the algorithm, and of how many it is the best.
std::string detail_of(const std::optional<std::string> &detail, const std::optional<std::int64_t> &measured) {
  std::string text = detail.value_or("");
  if (measured.value_or(0) == 0) return text;
  return fmt::format("{}{}fastest of {} measured", text, text.empty() ? "" : ", ", *measured);
}

}  // namespace

Status HarnessTranscript::on_session(Fields &fields) {
  fields.integer("protocol", kProtocol, kProtocol);
  const std::string nonce = fields.string("nonce");
  Gpu gpu = get_session_gpu(fields.object("gpu"));
  if (!fields.failed() && nonce != request_.nonce) fields.refuse("nonce", "\"" + request_.nonce + "\"");
  if (!fields.failed() && gpu_) fields.refuse("event", "one session only");
  PYC_CHECK(fields.finish());
  gpu_ = std::move(gpu);
  return {};
}

Status HarnessTranscript::on_launches(Fields &fields) {
  PYC_TRY(const Slot *slot, this->slot(fields));
  Launches launches = get_launches(fields);
  PYC_CHECK(fields.finish());
  auto &kept = benchmarks_.empty() ? validations_[slot->place].launches : benchmarks_[slot->place].launches;
  kept = std::move(launches);
  return {};
}

Status HarnessTranscript::on_check(Fields &fields) {
  PYC_TRY(ShapeValidation * shape, open_validation(fields));
  Check check = get_check(fields);
  PYC_CHECK(fields.finish());
  shape->checks.push_back(std::move(check));
  return {};
}

Status HarnessTranscript::on_contender(Fields &fields) {
  PYC_TRY(ShapeBenchmark * shape, open_benchmark(fields));
  Arm arm;
  arm.arm = static_cast<int>(fields.integer("arm", 0, kLargestArm));
  arm.role = fields.one_of("role", arm_roles());
  arm.name = fields.string("name");
  arm.status = fields.one_of("status", {"ready", "unavailable"});
  arm.reason = fields.optional_string("reason").value_or("");
  const auto detail = fields.optional_string("detail");
  arm.detail = detail_of(detail, fields.optional_integer("algorithms_measured", 0, INT32_MAX));
  if (!fields.failed() && (arm.arm == 0) != (arm.role == "candidate")) fields.refuse("arm", "0 for the candidate only");
  for (const Arm &other : shape->arms)
    if (other.arm == arm.arm) fields.refuse("arm", "a number of its own");
  PYC_CHECK(fields.finish());
  arm.digest = digest_of(arm);
  shape->arms.push_back(std::move(arm));
  return {};
}

// The harness is given digests and does not repeat them; the candidate's own stands in the document's header.
std::string HarnessTranscript::digest_of(const Arm &arm) const {
  const std::string role = arm.role == "incumbent_control" ? "incumbent" : arm.role;
  for (const HarnessRequest::Contender &contender : request_.contenders)
    if (contender.role == role && contender.name == arm.name) return contender.digest;
  return {};
}

Result<Arm *> HarnessTranscript::ready_arm(Fields &fields) {
  PYC_TRY(ShapeBenchmark * shape, open_benchmark(fields));
  const std::int64_t number = fields.integer("arm", 0, kLargestArm);
  PYC_CHECK(fields.status());
  const auto arm = std::find_if(shape->arms.begin(), shape->arms.end(), [&](const Arm &a) { return a.arm == number; });
  if (arm != shape->arms.end() && arm->status == "ready") return &*arm;
  fields.refuse("arm", "a contender that is ready");
  return tl::unexpected<Error>(fields.status().error());
}

Status HarnessTranscript::on_samples(Fields &fields) {
  PYC_TRY(Arm * arm, ready_arm(fields));
  Samples samples = get_samples(fields);
  const bool cold = samples.cache == "cold";
  if (!fields.failed() && !(cold ? arm->cold_ns : arm->warm_ns).empty()) fields.refuse("cache", "samples once per arm");
  PYC_CHECK(fields.finish());
  arm->retaken += samples.retaken;
  (cold ? arm->cold_ns : arm->warm_ns) = std::move(samples.time_ns);
  if (!cold) return {};
  arm->cold_order = std::move(samples.order);
  arm->cold_sm_clock_mhz = std::move(samples.sm_clock_mhz);
  return {};
}

Status HarnessTranscript::on_output_check(Fields &fields) {
  PYC_TRY(Arm * arm, ready_arm(fields));
  Check check = get_check(fields);
  PYC_CHECK(fields.finish());
  arm->output_checks.push_back(std::move(check));
  return {};
}

Status HarnessTranscript::on_timer(Fields &fields) {
  PYC_TRY(ShapeBenchmark * shape, open_benchmark(fields));
  const double overhead_ns = fields.number("overhead_ns", 0, 1e12);
  PYC_CHECK(fields.finish());
  shape->timer_overhead_ns = overhead_ns;
  return {};
}

Status HarnessTranscript::on_fatal(Fields &fields) {
  Fatal fatal;
  fatal.kind = fields.one_of(
      "kind", {"bad_request", "no_device", "wrong_device", "cuda_error", "out_of_memory", "contender", "internal"});
  fatal.message = fields.string("message");
  fatal.call = fields.optional_string("call").value_or("");
  fatal.file = fields.optional_string("file").value_or("");
  fatal.line = static_cast<int>(fields.optional_integer("line", 0, INT32_MAX).value_or(0));
  fatal.error = fields.optional_string("error").value_or("");
  PYC_CHECK(fields.finish());
  fatal_ = std::move(fatal);
  return {};
}

}  // namespace pyc::evidence
