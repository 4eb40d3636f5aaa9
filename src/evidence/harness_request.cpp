#include "evidence/harness_events.h"
#include "evidence/record_fields.h"

namespace pyc::evidence {
namespace {

constexpr const char *kRequestSchema = "pyc.harness-request/1";

json::Json to_value(const HarnessRequest::Requires &requirements) {
  return json::Json{{"m_multiple", requirements.m_multiple},
                    {"n_multiple", requirements.n_multiple},
                    {"k_multiple", requirements.k_multiple},
                    {"pointer_alignment", requirements.pointer_alignment},
                    {"ld_multiple", requirements.ld_multiple}};
}

json::Json to_value(const HarnessRequest::RequestedShape &requested) {
  json::Json value = json::Json::object();
  put_shape(value, requested.shape);
  value["timed"] = requested.timed;
  if (requested.large) value["large"] = true;
  return value;
}

json::Json to_value(const HarnessRequest::Contender &contender) {
  return json::Json{{"role", contender.role},
                    {"name", contender.name},
                    {"digest", contender.digest},
                    {"library", contender.library},
                    {"symbol", contender.symbol},
                    {"workspace", contender.workspace},
                    {"requires", to_value(contender.requirements)}};
}

}  // namespace

std::string to_json(const HarnessRequest &request) {
  json::Json value = json::Json::object();
  value["schema"] = kRequestSchema;
  value["mode"] = request.mode;
  value["nonce"] = request.nonce;
  value["dtype"] = request.dtype;
  value["layout"] = request.layout;
  value["compute_capability"] = request.compute_capability;
  value["seed"] = request.seed;
  json::Json &shapes = value["shapes"] = json::Json::array();
  for (const HarnessRequest::RequestedShape &shape : request.shapes) shapes.push_back(to_value(shape));
  value["tolerance"] = to_value(request.tolerance);
  value["requires"] = to_value(request.requirements);
  value["workspace"] = request.workspace;
  if (request.mode == "validate") value["depth"] = request.depth;
  value["warmup"] = request.warmup;
  value["repeats"] = request.repeats;
  json::Json &contenders = value["contenders"] = json::Json::array();
  for (const HarnessRequest::Contender &contender : request.contenders) contenders.push_back(to_value(contender));
  value["vendor_library_dirs"] = request.vendor_library_dirs;
  value["vendor_algorithms"] = request.vendor_algorithms;
  return json::to_text(value);
}

}  // namespace pyc::evidence
