#include "evidence/promotion.h"

#include <fmt/format.h>

#include "evidence/record_fields.h"
#include "evidence/sealed_document.h"

namespace pyc::evidence {
namespace {

constexpr std::int64_t kMostLines = 100, kMostAttempts = 1'000'000;

json::Json to_value(const FileHash &file) { return json::Json{{"file", file.path}, {"sha256", file.sha256}}; }

json::Json to_value(const PromotionLine &line) {
  return json::Json{{"number", line.number},
                    {"title", line.title},
                    {"passed", line.passed},
                    {"figure", line.figure},
                    {"reason", line.reason}};
}

FileHash get_file(json::ObjectReader fields) {
  FileHash file{fields.string("file"), fields.string("sha256")};
  fields.finish();
  return file;
}

PromotionLine get_line(json::ObjectReader &fields) {
  PromotionLine line;
  line.number = static_cast<int>(fields.integer("number", 1, kMostLines));
  line.title = fields.string("title");
  line.passed = fields.boolean("passed");
  line.figure = fields.string("figure");
  line.reason = fields.string("reason");
  fields.finish();
  return line;
}

std::string prefix_of(const std::string &name) { return name + "-promotion-"; }

}  // namespace

std::string to_json(const PromotionAttempt &attempt) {
  json::Json document = json::Json::object();
  document["schema"] = kPromotionSchema;
  document["created_utc"] = attempt.created_utc;
  document["name"] = attempt.name;
  document["selector"] = attempt.selector;
  document["arch"] = attempt.arch;
  document["digest"] = attempt.digest;
  document["incumbent"] = attempt.incumbent;
  document["incumbent_digest"] = attempt.incumbent_digest;
  document["validation"] = to_value(attempt.validation);
  document["benchmark"] = to_value(attempt.benchmark);
  document["attempts"] = attempt.attempts;
  document["verdict"] = attempt.verdict;
  if (!attempt.outcome.empty()) document["outcome"] = attempt.outcome;
  json::Json &lines = document["lines"] = json::Json::array();
  for (const PromotionLine &line : attempt.lines) lines.push_back(to_value(line));
  document["remarks"] = attempt.remarks;
  return seal(document);
}

Result<PromotionAttempt> read_promotion(const std::filesystem::path &path) {
  PYC_TRY(const SealedDocument document, read_sealed(path));
  json::ObjectReader fields(document.value, path.string());
  fields.one_of("schema", {kPromotionSchema});
  PromotionAttempt attempt;
  attempt.created_utc = fields.string("created_utc");
  attempt.name = fields.string("name");
  attempt.selector = fields.string("selector");
  attempt.arch = fields.string("arch");
  attempt.digest = fields.string("digest");
  attempt.incumbent = fields.string("incumbent");
  attempt.incumbent_digest = fields.string("incumbent_digest");
  attempt.validation = get_file(fields.object("validation"));
  attempt.benchmark = get_file(fields.object("benchmark"));
  attempt.attempts = static_cast<int>(fields.integer("attempts", 1, kMostAttempts));
  attempt.verdict = fields.string("verdict");
  if (fields.has("outcome")) attempt.outcome = fields.one_of("outcome", {"refused", "accepted", "promoted"});
  for (json::ObjectReader &line : fields.objects("lines")) attempt.lines.push_back(get_line(line));
  attempt.remarks = fields.strings("remarks");
  PYC_CHECK(finish_sealed(document, fields));
  return attempt;
}

Result<PromotionTrace> read_promotion_trace(const std::filesystem::path &path) {
  PYC_TRY(const SealedDocument document, read_sealed(path));
  json::ObjectReader fields(document.value, path.string());
  fields.one_of("schema", {kPromotionSchema});
  PromotionTrace trace;
  trace.digest = fields.string("digest");
  trace.incumbent_digest = fields.string("incumbent_digest");
  json::ObjectReader benchmark = fields.object("benchmark");
  benchmark.skip("file");
  trace.benchmark_sha256 = benchmark.string("sha256");
  benchmark.finish();
  for (const char *key : {"created_utc", "name", "selector", "arch", "incumbent", "validation", "attempts", "verdict",
                          "outcome", "lines", "remarks"})
    fields.skip(key);
  PYC_CHECK(finish_sealed(document, fields));
  return trace;
}

std::string promotion_file_name(const std::string &name, const std::string &file_stamp) {
  return fmt::format("{}{}.json", prefix_of(name), file_stamp);
}

bool is_promotion_file_of(const std::string &file_name, const std::string &name) {
  return file_name.starts_with(prefix_of(name)) && file_name.ends_with(".json");
}

}  // namespace pyc::evidence
