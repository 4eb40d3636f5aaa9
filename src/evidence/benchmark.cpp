#include <algorithm>

#include "evidence/documents.h"
#include "evidence/record_fields.h"
#include "evidence/sealed_document.h"
#include "stats/statistics.h"

namespace pyc::evidence {
namespace {

// `median_ns` is for people who open the file: nothing reads it back.
json::Json to_value(const Arm &arm) {
  json::Json value = json::Json::object();
  value["arm"] = arm.arm;
  value["role"] = arm.role;
  value["name"] = arm.name;
  put_optional(value, "digest", arm.digest);
  value["status"] = arm.status;
  put_optional(value, "reason", arm.reason);
  put_optional(value, "detail", arm.detail);
  put_optional(value, "median_ns", cold_median_ns(arm));
  value["cold_ns"] = arm.cold_ns;
  value["cold_order"] = arm.cold_order;
  value["cold_sm_clock_mhz"] = arm.cold_sm_clock_mhz;
  value["warm_ns"] = arm.warm_ns;
  value["retaken"] = arm.retaken;
  value["output_checks"] = list_of(arm.output_checks);
  return value;
}

Arm get_arm(json::ObjectReader fields) {
  Arm arm;
  arm.arm = static_cast<int>(fields.integer("arm", 0, kLargestArm));
  arm.role = fields.one_of("role", arm_roles());
  arm.name = fields.string("name");
  arm.digest = fields.optional_string("digest").value_or("");
  arm.status = fields.one_of("status", {"ready", "unavailable"});
  arm.reason = fields.optional_string("reason").value_or("");
  arm.detail = fields.optional_string("detail").value_or("");
  fields.skip("median_ns");
  arm.cold_ns = fields.numbers("cold_ns");
  arm.cold_order = fields.integers("cold_order", 0, INT64_MAX);
  arm.cold_sm_clock_mhz = fields.numbers("cold_sm_clock_mhz");
  arm.warm_ns = fields.numbers("warm_ns");
  arm.retaken = static_cast<int>(fields.integer("retaken", 0, INT32_MAX));
  for (json::ObjectReader &check : fields.objects("output_checks")) {
    arm.output_checks.push_back(get_check(check));
    check.finish();
  }
  fields.finish();
  return arm;
}

json::Json to_value(const ShapeBenchmark &shape) {
  json::Json value = json::Json::object();
  put_shape(value, shape.shape);
  value["status"] = shape.status;
  value["elapsed_ns"] = shape.elapsed_ns;
  put_optional(value, "timer_overhead_ns", shape.timer_overhead_ns);
  if (shape.launches) value["launches"] = to_value(*shape.launches);
  json::Json &arms = value["arms"] = json::Json::array();
  for (const Arm &arm : shape.arms) arms.push_back(to_value(arm));
  return value;
}

ShapeBenchmark get_shape_benchmark(json::ObjectReader fields) {
  ShapeBenchmark shape;
  shape.shape = get_shape(fields);
  shape.status = fields.one_of("status", {"completed", "failed", "unfinished"});
  shape.elapsed_ns = fields.integer("elapsed_ns", 0, INT64_MAX);
  shape.timer_overhead_ns = fields.optional_number("timer_overhead_ns");
  if (auto launches = fields.optional_object("launches")) {
    shape.launches = get_launches(*launches);
    launches->finish();
  }
  for (const json::ObjectReader &arm : fields.objects("arms")) shape.arms.push_back(get_arm(arm));
  fields.finish();
  return shape;
}

}  // namespace

const std::vector<std::string> &arm_roles() {
  static const std::vector<std::string> kRoles = {
      "candidate", "incumbent", "incumbent_control", "candidate_control", "cublaslt", "cublas", "against"};
  return kRoles;
}

std::optional<double> cold_median_ns(const Arm &arm) { return stats::median(arm.cold_ns); }

const Arm *ShapeBenchmark::find(const std::string &role) const {
  const auto found = std::find_if(arms.begin(), arms.end(), [&](const Arm &arm) { return arm.role == role; });
  return found == arms.end() ? nullptr : &*found;
}

std::string to_json(const Benchmark &benchmark) {
  json::Json document = json::Json::object();
  put_header(document, benchmark.header);
  document[kBodyStart] = benchmark.seed;
  document["warmup"] = benchmark.warmup;
  document["repeats"] = benchmark.repeats;
  document["max_repeats"] = benchmark.max_repeats;
  document["passes"] = benchmark.passes;
  json::Json &shapes = document["shapes"] = json::Json::array();
  for (const ShapeBenchmark &shape : benchmark.shapes) shapes.push_back(to_value(shape));
  document["logs"] = to_value(benchmark.header.logs);
  return seal(document);
}

Result<Benchmark> read_benchmark(const std::filesystem::path &path) {
  PYC_TRY(const SealedDocument document, read_sealed(path));
  json::ObjectReader fields(document.value, path.string());
  require_kind(fields, Kind::kBenchmark);
  Benchmark benchmark;
  benchmark.header = get_header(fields);
  benchmark.seed = fields.unsigned_integer(kBodyStart);
  benchmark.warmup = static_cast<int>(fields.integer("warmup", 0, INT32_MAX));
  benchmark.repeats = static_cast<int>(fields.integer("repeats", 0, INT32_MAX));
  benchmark.max_repeats = static_cast<int>(fields.optional_integer("max_repeats", 0, INT32_MAX).value_or(0));
  benchmark.passes = static_cast<int>(fields.optional_integer("passes", 0, INT32_MAX).value_or(0));
  for (const json::ObjectReader &shape : fields.objects("shapes"))
    benchmark.shapes.push_back(get_shape_benchmark(shape));
  benchmark.header.logs = get_logs(fields.object("logs"));
  PYC_CHECK(finish_sealed(document, fields));
  return benchmark;
}

}  // namespace pyc::evidence
