#include <array>
#include <cmath>
#include <utility>

#include "evidence/documents.h"
#include "evidence/record_fields.h"

namespace pyc::evidence {
namespace {

constexpr std::array<std::pair<Kind, const char *>, 3> kKinds = {{
    {Kind::kValidation, "validation"},
    {Kind::kBenchmark, "benchmark"},
    {Kind::kProfile, "profile"},
}};

constexpr std::array<std::pair<DocumentStatus, const char *>, 5> kStatuses = {{
    {DocumentStatus::kPassed, "passed"},
    {DocumentStatus::kFailed, "failed"},
    {DocumentStatus::kCompleted, "completed"},
    {DocumentStatus::kPlanned, "planned"},
    {DocumentStatus::kError, "error"},
}};

template <class Table, class Value>
std::string word_of(const Table &table, Value value) {
  for (const auto &[entry, word] : table)
    if (entry == value) return word;
  return "unknown";
}

template <class Table>
auto get_word(json::ObjectReader &fields, const char *key, const Table &table) {
  std::vector<std::string> words;
  for (const auto &[value, word] : table) words.push_back(word);
  const std::string read = fields.one_of(key, words);
  for (const auto &[value, word] : table)
    if (read == word) return value;
  return table[0].first;
}

json::Json to_value(const FileHash &file) { return json::Json{{"path", file.path}, {"sha256", file.sha256}}; }

json::Json to_value(const Warning &warning) {
  return json::Json{{"code", warning.code}, {"message", warning.message}, {"hint", warning.hint}};
}

json::Json to_value(const CandidateRef &candidate) {
  json::Json value = {{"name", candidate.name},
                      {"selector", candidate.selector},
                      {"arch", candidate.arch},
                      {"digest", candidate.digest}};
  json::Json &files = value["files"] = json::Json::array();
  for (const FileHash &file : candidate.files) files.push_back(to_value(file));
  return value;
}

CandidateRef get_candidate(json::ObjectReader fields) {
  CandidateRef candidate;
  candidate.name = fields.string("name");
  candidate.selector = fields.string("selector");
  candidate.arch = fields.string("arch");
  candidate.digest = fields.string("digest");
  for (json::ObjectReader &file : fields.objects("files")) {
    candidate.files.push_back({file.string("path"), file.string("sha256")});
    file.finish();
  }
  fields.finish();
  return candidate;
}

std::vector<Warning> get_warnings(json::ObjectReader &fields) {
  std::vector<Warning> warnings;
  for (json::ObjectReader &warning : fields.objects("warnings")) {
    warnings.push_back({warning.string("code"), warning.string("message"), warning.string("hint")});
    warning.finish();
  }
  return warnings;
}

}  // namespace

std::string to_string(Kind kind) { return word_of(kKinds, kind); }
std::string to_string(DocumentStatus status) { return word_of(kStatuses, status); }

void put_optional(json::Json &object, const char *key, const std::optional<double> &value) {
  if (value && std::isfinite(*value)) object[key] = *value;
}

void put_optional(json::Json &object, const char *key, const std::string &value) {
  if (!value.empty()) object[key] = value;
}

json::Json to_value(const Tool &tool) { return json::Json{{"version", tool.version}, {"git", tool.git}}; }

json::Json to_value(const Toolchain &toolchain) {
  json::Json object = {{"nvcc_path", toolchain.nvcc_path},
                       {"nvcc_version", toolchain.nvcc_version},
                       {"host_compiler", toolchain.host_compiler},
                       {"flags", toolchain.flags}};
  put_optional(object, "harness_sha256", toolchain.harness_sha256);
  return object;
}

json::Json to_value(const Host &host) {
  return json::Json{{"name", host.name},
                    {"operating_system", host.operating_system},
                    {"kernel", host.kernel},
                    {"cpu", host.cpu},
                    {"cores", host.cores}};
}

Tool get_tool(json::ObjectReader fields) {
  Tool tool{fields.string("version"), fields.string("git")};
  fields.finish();
  return tool;
}

Toolchain get_toolchain(json::ObjectReader fields) {
  Toolchain toolchain;
  toolchain.nvcc_path = fields.string("nvcc_path");
  toolchain.nvcc_version = fields.string("nvcc_version");
  toolchain.host_compiler = fields.string("host_compiler");
  toolchain.flags = fields.strings("flags");
  toolchain.harness_sha256 = fields.optional_string("harness_sha256").value_or("");
  fields.finish();
  return toolchain;
}

Host get_host(json::ObjectReader fields) {
  Host host;
  host.name = fields.string("name");
  host.operating_system = fields.string("operating_system");
  host.kernel = fields.string("kernel");
  host.cpu = fields.string("cpu");
  host.cores = static_cast<int>(fields.integer("cores", 0, INT32_MAX));
  fields.finish();
  return host;
}

void put_header(json::Json &document, const Header &header) {
  document["schema"] = kEvidenceSchema;
  document["kind"] = to_string(header.kind);
  document["status"] = to_string(header.status);
  put_optional(document, "error", header.error);
  document["tool"] = to_value(header.tool);
  document["created_utc"] = header.created_utc;
  document["candidate"] = to_value(header.candidate);
  document["command"] = header.command;
  document["toolchain"] = to_value(header.toolchain);
  document["host"] = to_value(header.host);
  if (header.gpu) document["gpu"] = to_value(*header.gpu);
  json::Json &warnings = document["warnings"] = json::Json::array();
  for (const Warning &warning : header.warnings) warnings.push_back(to_value(warning));
}

Kind get_kind(json::ObjectReader &fields) { return get_word(fields, "kind", kKinds); }

DocumentStatus get_status(json::ObjectReader &fields) { return get_word(fields, "status", kStatuses); }

Header get_header(json::ObjectReader &fields) {
  Header header;
  fields.one_of("schema", {kEvidenceSchema});
  header.kind = get_kind(fields);
  header.status = get_status(fields);
  header.error = fields.optional_string("error").value_or("");
  header.tool = get_tool(fields.object("tool"));
  header.created_utc = fields.string("created_utc");
  header.candidate = get_candidate(fields.object("candidate"));
  header.command = fields.strings("command");
  header.toolchain = get_toolchain(fields.object("toolchain"));
  header.host = get_host(fields.object("host"));
  if (const auto gpu = fields.optional_object("gpu")) header.gpu = get_gpu(*gpu);
  header.warnings = get_warnings(fields);
  return header;
}

json::Json to_value(const Logs &logs) {
  return json::Json{{"compiler", logs.compiler}, {"harness", logs.harness}, {"truncated", logs.truncated}};
}

Logs get_logs(json::ObjectReader fields) {
  Logs logs{fields.string("compiler"), fields.string("harness"), fields.boolean("truncated")};
  fields.finish();
  return logs;
}

}  // namespace pyc::evidence
