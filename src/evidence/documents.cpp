#include "evidence/documents.h"

#include <fmt/format.h>
#include <fstream>

#include "base/file_error.h"
#include "base/files.h"
#include "evidence/record_fields.h"
#include "evidence/sealed_document.h"

namespace pyc::evidence {
namespace {

// The first bytes of a file; empty if it cannot be read, and of a FIFO, whose opening would wait for a writer.
std::string read_start(const std::filesystem::path &path, std::size_t limit) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::string bytes(limit, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(limit));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

// Where a document may be cut, and what then closes the objects that are open. The writer puts every key on a line of
// its own, and no line begins inside a JSON string, so the place is found without parsing.
struct Cut {
  std::string before;
  const char *closing;
  std::size_t usual_bytes;
};

const Cut &header_cut() {
  static const Cut kCut{fmt::format(",\n  \"{}\": ", kBodyStart), "\n}\n", 16 << 10};
  return kCut;
}

const Cut &outline_cut() {
  static const Cut kCut{",\n    \"files\": ", "\n  }\n}\n", 2 << 10};
  return kCut;
}

std::optional<std::string> cut_text(const std::string &text, const Cut &cut) {
  const std::size_t end = text.find(cut.before);
  if (end == std::string::npos) return std::nullopt;
  return text.substr(0, end) + cut.closing;
}

Result<json::Json> read_until(const std::filesystem::path &path, const Cut &cut) {
  std::optional<std::string> text = cut_text(read_start(path, cut.usual_bytes), cut);
  if (!text) {
    PYC_TRY(const std::string whole, read_file(path, kEvidenceFileLimitBytes));
    text = cut_text(whole, cut);
  }
  if (!text) return fail(ErrorKind::kInvalid, fmt::format("'{}' is no evidence written by pyc", printable_path(path)));
  return json::parse_strict(*text, path.string());
}

}  // namespace

Result<Summary> read_summary(const std::filesystem::path &path) {
  PYC_TRY(const json::Json value, read_until(path, header_cut()));
  json::ObjectReader fields(value, path.string());
  Summary summary{path, get_header(fields)};
  PYC_CHECK(fields.finish());
  return summary;
}

Result<Outline> read_outline(const std::filesystem::path &path) {
  PYC_TRY(const json::Json value, read_until(path, outline_cut()));
  json::ObjectReader fields(value, path.string());
  Outline outline;
  outline.kind = get_kind(fields);
  outline.status = get_status(fields);
  outline.created_utc = fields.string("created_utc");
  json::ObjectReader candidate = fields.object("candidate");
  outline.candidate = candidate.string("name");
  outline.digest = candidate.string("digest");
  PYC_CHECK(fields.status());
  return outline;
}

std::string file_name(const std::string &candidate, Kind kind, const std::string &file_stamp) {
  return fmt::format("{}-{}-{}.json", candidate, to_string(kind), file_stamp);
}

}  // namespace pyc::evidence
