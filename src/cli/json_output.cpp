// The only file of this folder that includes nlohmann-json; evidence documents come as text from src/evidence.
#include "cli/json_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "hpc/tune.h"

namespace pyc::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json &json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

const char *kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kNo: return "no";
    case ErrorKind::kInvalid: return "invalid";
    case ErrorKind::kSchema: return "schema";
    case ErrorKind::kInternal: return "internal";
    case ErrorKind::kUnavailable: return "unavailable";
    case ErrorKind::kInterrupted: return "interrupted";
  }
  return "internal";
}

Json to_json(const Error &error) {
  return {{"kind", kind_name(error.kind)}, {"message", error.message}, {"hint", error.hint}};
}

Json to_json(const Failure &failure) { return failure ? to_json(*failure) : Json(nullptr); }

const char *status_name(toolchain::CheckStatus status) {
  switch (status) {
    case toolchain::CheckStatus::kOk: return "ok";
    case toolchain::CheckStatus::kWarning: return "warning";
    case toolchain::CheckStatus::kMissing: return "missing";
    case toolchain::CheckStatus::kBroken: return "broken";
  }
  return "missing";
}

Json checks_json(const std::vector<toolchain::DoctorCheck> &checks) {
  Json all = Json::array();
  for (const toolchain::DoctorCheck &check : checks) {
    all.push_back({{"name", check.name},
                   {"status", status_name(check.status)},
                   {"required", check.required},
                   {"finding", check.finding},
                   {"hint", check.hint}});
  }
  return all;
}

Json to_json(const std::optional<hpc::EvidenceState> &state) {
  if (!state) return nullptr;
  return {{"path", state->path},
          {"status", state->status},
          {"current", state->current},
          {"created_utc", state->created_utc}};
}

Json shown_json(const hpc::ShownEvidence &one) {
  const evidence::Header &header = one.summary.header;
  return {{"path", one.summary.path.string()},
          {"kind", evidence::to_string(header.kind)},
          {"status", evidence::to_string(header.status)},
          {"created_utc", header.created_utc},
          {"digest", header.candidate.digest},
          {"current", one.current},
          {"change", one.change},
          {"outcome", one.outcome}};
}

Json attempt_json(const evidence::PromotionAttempt &attempt) {
  return {{"created_utc", attempt.created_utc},
          {"digest", attempt.digest},
          {"incumbent", attempt.incumbent},
          {"verdict", attempt.verdict},
          {"attempts", attempt.attempts}};
}

Json to_json(const evidence::CandidateRef &ref) {
  Json files = Json::array();
  for (const evidence::FileHash &file : ref.files) files.push_back({{"path", file.path}, {"sha256", file.sha256}});
  return {{"name", ref.name}, {"selector", ref.selector}, {"arch", ref.arch}, {"digest", ref.digest}, {"files", files}};
}

Json number(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const std::vector<hpc::Difference> &differences) {
  Json list = Json::array();
  for (const hpc::Difference &difference : differences)
    list.push_back({{"what", difference.what}, {"left", difference.left}, {"right", difference.right}});
  return list;
}

template <class Interval>
Json interval_json(const std::optional<Interval> &interval) {
  if (!interval) return nullptr;
  return {{"estimate", interval->estimate}, {"low", interval->low}, {"high", interval->high}};
}

Json to_json(const workspace::Record &record) {
  return {{"name", record.name},
          {"selector", record.selector()},
          {"arch", record.arch},
          {"symbol", record.symbol},
          {"digest", record.digest},
          {"promoted_utc", record.promoted_utc},
          {"gpu", record.evidence.gpu_name},
          {"ratio_to_incumbent", interval_json(record.evidence.ratio_to_incumbent)}};
}

}  // namespace

std::string checks_document(const std::vector<toolchain::DoctorCheck> &checks) { return dump(checks_json(checks)); }

std::string error_document(const Error &error) { return dump({{"error", to_json(error)}}); }

std::string text_document(const std::string &text) { return dump({{"text", text}, {"error", nullptr}}); }

std::string doctor_document(const hpc::DoctorResult &result, const Failure &failure) {
  return dump({{"ready", result.ready}, {"checks", checks_json(result.checks)}, {"error", to_json(failure)}});
}

std::string create_document(const hpc::CreateResult &result) {
  return dump({{"candidate", to_json(result.candidate.ref)}, {"folder", result.folder.string()}, {"error", nullptr}});
}

std::string tune_document(const hpc::TuneResult &result, const std::string &record_path) {
  const std::string winner = result.winner ? dump(result.winner->string()) : "null";
  return fmt::format("{{\"winner\": {}, \"record_path\": {}, \"error\": {}, \"record\": {}}}", winner,
                     dump(record_path), dump(to_json(result.failure)), trim(evidence::to_json(result.document)));
}

std::string list_document(const std::vector<hpc::ListRow> &rows) {
  Json candidates = Json::array();
  for (const hpc::ListRow &row : rows) {
    candidates.push_back({{"name", row.name},
                          {"selector", row.selector},
                          {"arch", row.arch},
                          {"digest", row.digest},
                          {"status", row.status},
                          {"promoted", row.promoted},
                          {"change", row.change},
                          {"problem", row.problem},
                          {"validation", to_json(row.validation)},
                          {"benchmark", to_json(row.benchmark)},
                          {"profile", to_json(row.profile)}});
  }
  return dump({{"candidates", candidates}, {"error", nullptr}});
}

std::string show_document(const hpc::ShowResult &result) {
  Json evidence = Json::array(), attempts = Json::array(), history = Json::array();
  for (const hpc::ShownEvidence &one : result.evidence) evidence.push_back(shown_json(one));
  for (const evidence::PromotionAttempt &attempt : result.attempts) attempts.push_back(attempt_json(attempt));
  const auto &entry = result.registry_entry ? result.registry_entry : result.replaced_in;
  if (entry) {
    for (const workspace::Record &replaced : entry->history) history.push_back(to_json(replaced));
  }
  const Json record = result.registry_entry ? to_json(result.registry_entry->record) : Json(nullptr);
  const Json former = result.former_record ? to_json(*result.former_record) : Json(nullptr);
  return dump({{"candidate", to_json(result.candidate.ref)},
               {"status", result.status},
               {"contract", Json::parse(workspace::to_json(result.candidate.contract), nullptr, false)},
               {"evidence", evidence},
               {"attempts", attempts},
               {"registry", record},
               {"former_record", former},
               {"history", history},
               {"next", result.next},
               {"error", nullptr}});
}

std::string run_document(const std::string &evidence_path, const std::string &evidence, const Failure &failure) {
  return fmt::format("{{\"evidence_path\": {}, \"error\": {}, \"evidence\": {}}}", dump(evidence_path),
                     dump(to_json(failure)), trim(evidence));
}

std::string compare_document(const hpc::BenchmarkComparison &result, const Failure &failure) {
  Json shapes = Json::array();
  for (const hpc::ComparedShape &row : result.shapes) {
    shapes.push_back({{"shape", to_string(row.shape)},
                      {"left_median_ns", number(row.left_ns)},
                      {"right_median_ns", number(row.right_ns)},
                      {"ratio", interval_json(row.ratio)},
                      {"verdict", row.verdict}});
  }
  return dump({{"kind", "benchmark"},
               {"left", result.left_name},
               {"right", result.right_name},
               {"verdict", result.verdict},
               {"reasons", result.reasons},
               {"ratio", interval_json(result.ratio)},
               {"shapes", shapes},
               {"left_out", result.left_out},
               {"differences", to_json(result.differences)},
               {"error", to_json(failure)}});
}

std::string compare_document(const hpc::ProfileComparison &result, const Failure &failure) {
  Json kernels = Json::array();
  for (const hpc::ComparedKernel &kernel : result.kernels) {
    Json figures = Json::array();
    for (const hpc::ComparedFigure &figure : kernel.figures) {
      figures.push_back({{"name", figure.name},
                         {"unit", figure.unit},
                         {"left", number(figure.left)},
                         {"right", number(figure.right)}});
    }
    kernels.push_back({{"left", kernel.left},
                       {"right", kernel.right},
                       {"figures", figures},
                       {"limiters", {{"left", kernel.left_limiters}, {"right", kernel.right_limiters}}},
                       {"stalls", {{"left", kernel.left_stalls}, {"right", kernel.right_stalls}}}});
  }
  return dump({{"kind", "profile"},
               {"left", result.left_name},
               {"right", result.right_name},
               {"left_shape", to_string(result.left_shape)},
               {"right_shape", to_string(result.right_shape)},
               {"verdict", "not_judged"},
               {"reasons", result.remarks},
               {"kernels", kernels},
               {"differences", to_json(result.differences)},
               {"error", to_json(failure)}});
}

std::string promote_document(const hpc::PromoteResult &result, const Failure &failure) {
  Json lines = Json::array();
  for (const hpc::GateLine &line : result.report.lines) {
    lines.push_back({{"number", line.number},
                     {"title", line.title},
                     {"passed", line.passed},
                     {"figure", line.figure},
                     {"reason", line.reason}});
  }
  const auto &repeats = result.report.repeats_to_decide;
  return dump({{"promoted", result.promoted},
               {"verdict", to_string(result.report.verdict)},
               {"lines", lines},
               {"ratio_to_incumbent", interval_json(result.report.ratio)},
               {"repeats_to_decide", repeats ? Json(*repeats) : Json(nullptr)},
               {"attempts", result.report.attempts},
               {"confidence", result.report.confidence},
               {"remarks", result.report.remarks},
               {"record", result.record ? to_json(*result.record) : Json(nullptr)},
               {"error", to_json(failure)}});
}

std::string sync_document(const hpc::SyncResult &result, const Failure &failure) {
  return dump({{"stale", result.stale}, {"written", result.written}, {"error", to_json(failure)}});
}

}  // namespace pyc::cli
