#include "workspace/lab_baselines.h"

#include <algorithm>

#include "workspace/lab_files.h"

namespace pyc::workspace {
namespace {

using json::Json;
using json::ObjectReader;

bool same_key(const LabBaseline &a, const LabBaseline &b) {
  return a.task_kind == b.task_kind && a.backend == b.backend && a.arch == b.arch;
}

std::string read_word(ObjectReader &fields, const char *key) {
  std::string word = fields.string(key);
  if (!fields.failed() && !is_lab_name(word)) fields.refuse(key, "a word of letters, digits, '.', '_' and '-'");
  return word;
}

LabBaseline read_entry(ObjectReader &fields) {
  LabBaseline entry;
  entry.task_kind = read_word(fields, "task_kind");
  entry.backend = read_word(fields, "backend");
  entry.arch = read_word(fields, "arch");
  entry.kernel = read_word(fields, "kernel");
  entry.source = fields.optional_string("source").value_or("");
  if (!fields.is_null("updated_utc")) entry.updated_utc = fields.optional_string("updated_utc");
  entry.notes = fields.optional_string("notes").value_or("");
  fields.finish();
  return entry;
}

Result<LabBaselines> parse(std::string_view text, const std::string &file) {
  PYC_TRY(const Json document, json::parse_strict(text, file));
  ObjectReader fields(document, file);
  fields.integer("version", 1, 1);
  LabBaselines baselines;
  for (ObjectReader &entry : fields.objects("baselines")) {
    LabBaseline read = read_entry(entry);
    if (fields.failed()) break;
    const bool known = std::any_of(baselines.entries.begin(), baselines.entries.end(),
                                   [&](const LabBaseline &other) { return same_key(other, read); });
    if (known) entry.refuse("arch", "a task_kind, backend and arch that no other entry has");
    baselines.entries.push_back(std::move(read));
  }
  PYC_CHECK(fields.finish());
  return baselines;
}

}  // namespace

const LabBaseline *LabBaselines::find(std::string_view task_kind, std::string_view backend,
                                      std::string_view arch) const {
  const LabBaseline *generic = nullptr;
  for (const LabBaseline &entry : entries) {
    if (entry.task_kind != task_kind || entry.backend != backend) continue;
    if (entry.arch == arch) return &entry;
    if (entry.arch == kGenericArch) generic = &entry;
  }
  return generic;
}

void LabBaselines::put(LabBaseline baseline) {
  const auto same =
      std::find_if(entries.begin(), entries.end(), [&](const LabBaseline &entry) { return same_key(entry, baseline); });
  if (same == entries.end()) {
    entries.push_back(std::move(baseline));
  } else {
    *same = std::move(baseline);
  }
}

Result<LabBaselines> parse_lab_baselines(std::string_view text, const std::string &file) {
  return parse_as_schema(parse(text, file));
}

Result<LabBaselines> read_lab_baselines(const std::filesystem::path &path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return LabBaselines{};
  PYC_TRY(const std::string text, read_lab_file(path, "baseline manifest", "name one with --baseline-manifest"));
  return parse_lab_baselines(text, path.string());
}

std::string to_json(const LabBaselines &baselines) {
  Json list = Json::array();
  for (const LabBaseline &entry : baselines.entries) {
    list.push_back({{"task_kind", entry.task_kind},
                    {"backend", entry.backend},
                    {"arch", entry.arch},
                    {"kernel", entry.kernel},
                    {"source", entry.source},
                    {"updated_utc", entry.updated_utc ? Json(*entry.updated_utc) : Json(nullptr)},
                    {"notes", entry.notes}});
  }
  return json::to_text({{"version", 1}, {"baselines", list}});
}

}  // namespace pyc::workspace
