#include <algorithm>

#include "evidence/documents.h"
#include "evidence/record_fields.h"
#include "evidence/sealed_document.h"

namespace pyc::evidence {
namespace {

json::Json to_value(const ProfilerMetric &metric) {
  json::Json value = json::Json::object();
  value["name"] = metric.name;
  put_optional(value, "unit", metric.unit);
  put_optional(value, "value", metric.value);
  put_optional(value, "text", metric.text);
  return value;
}

ProfilerMetric get_metric(json::ObjectReader fields) {
  ProfilerMetric metric;
  metric.name = fields.string("name");
  metric.unit = fields.optional_string("unit").value_or("");
  metric.value = fields.optional_number("value");
  metric.text = fields.optional_string("text").value_or("");
  fields.finish();
  return metric;
}

json::Json to_value(const ProfiledKernel &kernel) {
  json::Json value = json::Json::object();
  value["name"] = kernel.name;
  json::Json &metrics = value["metrics"] = json::Json::array();
  for (const ProfilerMetric &metric : kernel.metrics) metrics.push_back(to_value(metric));
  return value;
}

ProfiledKernel get_kernel(json::ObjectReader fields) {
  ProfiledKernel kernel;
  kernel.name = fields.string("name");
  for (const json::ObjectReader &metric : fields.objects("metrics")) kernel.metrics.push_back(get_metric(metric));
  fields.finish();
  return kernel;
}

json::Json to_value(const ProfilerRun &run) {
  json::Json value = json::Json::object();
  value["command"] = run.command;
  value["ended"] = run.ended;
  if (run.return_code) value["return_code"] = *run.return_code;
  value["standard_output"] = run.standard_output;
  value["standard_error"] = run.standard_error;
  value["truncated"] = run.truncated;
  return value;
}

ProfilerRun get_run(json::ObjectReader fields) {
  ProfilerRun run;
  run.command = fields.strings("command");
  run.ended = fields.string("ended");
  if (const auto code = fields.optional_integer("return_code", 0, 255)) run.return_code = static_cast<int>(*code);
  run.standard_output = fields.string("standard_output");
  run.standard_error = fields.string("standard_error");
  run.truncated = fields.boolean("truncated");
  fields.finish();
  return run;
}

}  // namespace

const ProfilerMetric *ProfiledKernel::find(const std::string &metric) const {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const auto &have) { return have.name == metric; });
  return found == metrics.end() ? nullptr : &*found;
}

std::string to_json(const Profile &profile) {
  json::Json document = json::Json::object();
  put_header(document, profile.header);
  document[kBodyStart] = profile.seed;
  json::Json &shape = document["shape"] = json::Json::object();
  put_shape(shape, profile.shape);
  document["default_metrics"] = profile.default_metrics;
  document["profiler"] = to_value(profile.run);
  json::Json &kernels = document["kernels"] = json::Json::array();
  for (const ProfiledKernel &kernel : profile.kernels) kernels.push_back(to_value(kernel));
  document["logs"] = to_value(profile.header.logs);
  return seal(document);
}

Result<Profile> read_profile(const std::filesystem::path &path) {
  PYC_TRY(const SealedDocument document, read_sealed(path));
  json::ObjectReader fields(document.value, path.string());
  require_kind(fields, Kind::kProfile);
  Profile profile;
  profile.header = get_header(fields);
  profile.seed = fields.unsigned_integer(kBodyStart);
  json::ObjectReader shape = fields.object("shape");
  profile.shape = get_shape(shape);
  shape.finish();
  profile.default_metrics = fields.boolean("default_metrics");
  profile.run = get_run(fields.object("profiler"));
  for (const json::ObjectReader &kernel : fields.objects("kernels")) profile.kernels.push_back(get_kernel(kernel));
  profile.header.logs = get_logs(fields.object("logs"));
  PYC_CHECK(finish_sealed(document, fields));
  return profile;
}

}  // namespace pyc::evidence
