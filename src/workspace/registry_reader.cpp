// parse_registry(). Every value that can reach generated C++ or CMake text is matched against its pattern here.
#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "base/text.h"
#include "evidence/json_fields.h"
#include "toolchain/arch.h"
#include "workspace/contract_fields.h"
#include "workspace/families.h"
#include "workspace/registry.h"

namespace pyc::workspace {

using json::Json;
using json::ObjectReader;

namespace {

constexpr std::size_t kTextLimit = 1024;

bool is_hash(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == 64 && std::all_of(text.begin(), text.end(), is_digit);
}

// ^-[A-Za-z0-9_=+,.-]+$
bool is_flag(std::string_view text) {
  const auto is_allowed = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("_=+,.-").find(c) != std::string_view::npos;
  };
  return text.size() >= 2 && text.front() == '-' && std::all_of(text.begin(), text.end(), is_allowed);
}

// 2026-01-31T12:34:56.789Z
bool is_utc(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00.000Z";
  const auto fits = [](char form, char c) { return form == '0' ? c >= '0' && c <= '9' : c == form; };
  return std::equal(kForm.begin(), kForm.end(), text.begin(), text.end(), fits);
}

std::string read_hash(ObjectReader &fields, const char *key) {
  std::string hash = fields.string(key);
  if (!is_hash(hash)) fields.refuse(key, "64 lower-case hexadecimal digits");
  return hash;
}

// Text that stays in kernels.json: names of files, devices, versions.
std::string read_text(ObjectReader &fields, const char *key) {
  std::string text = fields.string(key);
  const bool has_control = std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (has_control || text.size() > kTextLimit) {
    fields.refuse(key, fmt::format("at most {} bytes without control characters", kTextLimit));
  }
  return text;
}

void read_selector(ObjectReader &fields, Record &record) {
  const std::vector<std::string> parts = split(fields.string("selector"), '/');
  const auto is_one_of = [](const std::string &name, const std::vector<std::string> &names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (parts.size() == 4 && parts[0] == "gemm" && is_one_of(parts[1], dtype_names()) &&
      is_one_of(parts[2], layout_names()) && is_one_of(parts[3], family_names())) {
    std::tie(record.dtype, record.layout, record.shape_family) = std::tie(parts[1], parts[2], parts[3]);
  } else {
    fields.refuse("selector", "gemm/DTYPE/LAYOUT/FAMILY, such as gemm/fp32/nn/square");
  }
}

void read_names(ObjectReader &fields, Record &record) {
  record.arch = fields.one_of("arch", toolchain::arch_names());
  record.name = fields.string("name");
  if (!is_candidate_name(record.name)) fields.refuse("name", "the name of a candidate");
  record.symbol = fields.string("symbol");
  if (record.symbol != "pyc_gemm_" + record.name) fields.refuse("symbol", "pyc_gemm_" + record.name);
  record.source = fields.string("source");
  const std::string source = fmt::format("kernels/prototypes/{}/kernel.cu", record.name);
  if (record.source != source) fields.refuse("source", source);
}

std::vector<std::string> read_flags(ObjectReader &fields) {
  std::vector<std::string> flags = fields.strings("flags");
  if (flags.empty() || !std::all_of(flags.begin(), flags.end(), is_flag)) {
    fields.refuse("flags", "compiler flags: each '-' and then letters, digits and any of _ = + , . -");
  }
  return flags;
}

std::optional<RatioInterval> read_ratio(ObjectReader &fields, const char *key) {
  if (!fields.has(key)) return std::nullopt;
  ObjectReader bounds = fields.object(key);
  RatioInterval ratio;
  ratio.estimate = bounds.number("estimate", 0, kLargestRatio);
  ratio.low = bounds.number("low", 0, kLargestRatio);
  ratio.high = bounds.number("high", 0, kLargestRatio);
  if (ratio.low > ratio.estimate) bounds.refuse("low", "at most the estimate");
  if (ratio.high < ratio.estimate) bounds.refuse("high", "at least the estimate");
  bounds.finish();
  return ratio;
}

std::optional<double> read_time(ObjectReader &fields, const char *key) {
  const auto time_ns = fields.optional_number(key, 0, kLongestTimeNs);
  if (time_ns && *time_ns == 0) fields.refuse(key, "more than 0 ns");
  return time_ns;
}

ShapeEvidence read_shape_evidence(ObjectReader &fields) {
  ShapeEvidence evidence;
  evidence.shape = read_shape(fields);
  const auto median_ns = read_time(fields, "median_ns");
  if (!median_ns) fields.refuse("median_ns", "a time in ns");
  evidence.median_ns = median_ns.value_or(0);
  evidence.incumbent_median_ns = read_time(fields, "incumbent_median_ns");
  evidence.cublaslt_median_ns = read_time(fields, "cublaslt_median_ns");
  evidence.ratio_to_incumbent = read_ratio(fields, "ratio_to_incumbent");
  fields.finish();
  return evidence;
}

void read_evidence_file(ObjectReader fields, std::string &file, std::string &sha256) {
  file = read_text(fields, "file");
  sha256 = read_hash(fields, "sha256");
  fields.finish();
}

void read_machine(ObjectReader &fields, EvidenceSummary &summary) {
  ObjectReader gpu = fields.object("gpu");
  summary.gpu_name = read_text(gpu, "name");
  summary.gpu_uuid = read_text(gpu, "uuid");
  summary.driver = read_text(gpu, "driver");
  gpu.finish();
  ObjectReader toolchain = fields.object("toolchain");
  summary.nvcc_version = read_text(toolchain, "nvcc_version");
  summary.host_compiler = read_text(toolchain, "host_compiler");
  toolchain.finish();
  ObjectReader tool = fields.object("tool");
  summary.tool_version = read_text(tool, "version");
  summary.tool_git = read_text(tool, "git");
  tool.finish();
}

EvidenceSummary read_evidence(ObjectReader fields) {
  EvidenceSummary summary;
  read_evidence_file(fields.object("validation"), summary.validation_file, summary.validation_sha256);
  read_evidence_file(fields.object("benchmark"), summary.benchmark_file, summary.benchmark_sha256);
  read_machine(fields, summary);
  for (ObjectReader &shape : fields.objects("shapes")) summary.shapes.push_back(read_shape_evidence(shape));
  summary.ratio_to_incumbent = read_ratio(fields, "ratio_to_incumbent");
  if (fields.has("replaced_digest")) summary.replaced_digest = read_hash(fields, "replaced_digest");
  fields.finish();
  return summary;
}

// All but `history`; the caller finishes `fields`.
Record read_record(ObjectReader &fields) {
  Record record;
  read_selector(fields, record);
  read_names(fields, record);
  record.digest = read_hash(fields, "digest");
  record.source_sha256 = read_hash(fields, "source_sha256");
  record.flags = read_flags(fields);
  const auto element = static_cast<std::int64_t>(element_bytes(record.dtype));
  record.requirements = read_requires(fields.object("requires"), element);
  record.workspace = fields.boolean("workspace");
  record.runtime = read_runtime(fields.object("runtime"));
  record.evidence = read_evidence(fields.object("evidence"));
  record.promoted_utc = fields.string("promoted_utc");
  if (!is_utc(record.promoted_utc)) fields.refuse("promoted_utc", "a time such as 2026-01-31T12:34:56.789Z");
  return record;
}

Entry read_entry(ObjectReader &fields) {
  Entry entry;
  entry.record = read_record(fields);
  for (ObjectReader &replaced : fields.objects("history")) {
    entry.history.push_back(read_record(replaced));
    replaced.finish();
  }
  fields.finish();
  return entry;
}

std::pair<std::string, std::string> key_of(const Entry &entry) { return {entry.record.selector(), entry.record.arch}; }

Status refuse_duplicates(const Registry &registry, const std::string &file) {
  const auto &entries = registry.entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Record &record = entries[i].record;
    if (i > 0 && key_of(entries[i - 1]) == key_of(entries[i])) {
      return fail(ErrorKind::kInvalid,
                  fmt::format("'{}': two records for {} on {}: '{}' and '{}'", file, record.selector(), record.arch,
                              entries[i - 1].record.name, record.name),
                  "keep one of them, and put the other one into its history");
    }
    if (registry.find_name(record.name) != &entries[i]) {
      return fail(ErrorKind::kInvalid, fmt::format("'{}': two records have the name '{}'", file, record.name),
                  "a candidate has one selector and one arch: remove one of the records");
    }
  }
  return {};
}

}  // namespace

Result<Registry> parse_registry(std::string_view text, const std::string &file) {
  PYC_TRY(const Json document, json::parse_strict(text, file));
  ObjectReader fields(document, file);
  fields.one_of("schema", {kRegistrySchema});
  Registry registry;
  for (ObjectReader &entry : fields.objects("records")) registry.entries.push_back(read_entry(entry));
  PYC_CHECK(fields.finish());
  std::sort(registry.entries.begin(), registry.entries.end(),
            [](const Entry &a, const Entry &b) { return key_of(a) < key_of(b); });
  PYC_CHECK(refuse_duplicates(registry, file));
  return registry;
}

}  // namespace pyc::workspace
