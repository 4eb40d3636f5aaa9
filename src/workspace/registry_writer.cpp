// to_json(): kernels.json in its fixed order, so that a promotion is a small difference.
#include "evidence/json_fields.h"
#include "workspace/contract_fields.h"
#include "workspace/registry.h"

namespace pyc::workspace {

using json::Json;

namespace {

Json ratio_json(const RatioInterval &ratio) {
  return {{"estimate", ratio.estimate}, {"low", ratio.low}, {"high", ratio.high}};
}

Json shape_evidence_json(const ShapeEvidence &evidence) {
  Json json = shape_json(evidence.shape);
  json["median_ns"] = evidence.median_ns;
  if (evidence.incumbent_median_ns) json["incumbent_median_ns"] = *evidence.incumbent_median_ns;
  if (evidence.cublaslt_median_ns) json["cublaslt_median_ns"] = *evidence.cublaslt_median_ns;
  if (evidence.ratio_to_incumbent) json["ratio_to_incumbent"] = ratio_json(*evidence.ratio_to_incumbent);
  return json;
}

Json evidence_json(const EvidenceSummary &summary) {
  Json json = {{"validation", {{"file", summary.validation_file}, {"sha256", summary.validation_sha256}}},
               {"benchmark", {{"file", summary.benchmark_file}, {"sha256", summary.benchmark_sha256}}},
               {"gpu", {{"name", summary.gpu_name}, {"uuid", summary.gpu_uuid}, {"driver", summary.driver}}},
               {"toolchain", {{"nvcc_version", summary.nvcc_version}, {"host_compiler", summary.host_compiler}}},
               {"tool", {{"version", summary.tool_version}, {"git", summary.tool_git}}},
               {"shapes", Json::array()}};
  for (const ShapeEvidence &shape : summary.shapes) json["shapes"].push_back(shape_evidence_json(shape));
  if (summary.ratio_to_incumbent) json["ratio_to_incumbent"] = ratio_json(*summary.ratio_to_incumbent);
  if (!summary.replaced_digest.empty()) json["replaced_digest"] = summary.replaced_digest;
  return json;
}

Json record_json(const Record &record) {
  return {{"selector", record.selector()},
          {"arch", record.arch},
          {"name", record.name},
          {"symbol", record.symbol},
          {"source", record.source},
          {"digest", record.digest},
          {"source_sha256", record.source_sha256},
          {"flags", record.flags},
          {"requires", requires_json(record.requirements)},
          {"workspace", record.workspace},
          {"runtime", runtime_json(record.runtime)},
          {"evidence", evidence_json(record.evidence)},
          {"promoted_utc", record.promoted_utc}};
}

Json entry_json(const Entry &entry) {
  Json json = record_json(entry.record);
  json["history"] = Json::array();
  for (const Record &replaced : entry.history) json["history"].push_back(record_json(replaced));
  return json;
}

}  // namespace

std::string to_json(const Registry &registry) {
  Json json = {{"schema", kRegistrySchema}, {"records", Json::array()}};
  for (const Entry &entry : registry.entries) json["records"].push_back(entry_json(entry));
  return json::to_text(json);
}

}  // namespace pyc::workspace
