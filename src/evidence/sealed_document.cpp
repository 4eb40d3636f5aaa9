#include "evidence/sealed_document.h"

#include <fmt/format.h>

#include "base/file_error.h"
#include "base/files.h"
#include "base/hash.h"
#include "evidence/documents.h"

namespace pyc::evidence {
namespace {

constexpr std::string_view kObjectEnd = "\n}\n";
constexpr std::string_view kSealStart = "  \"seal\": \"";
constexpr std::string_view kSealEnd = "\"\n}\n";
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kTailBytes = kSealStart.size() + kHashDigits + kSealEnd.size();

std::string tail_for(std::string_view sealed_text) {
  return fmt::format("{}{}{}", kSealStart, sha256_hex(sealed_text), kSealEnd);
}

bool seal_holds(std::string_view text) {
  if (text.size() < kTailBytes) return false;
  const std::string_view sealed_text = text.substr(0, text.size() - kTailBytes);
  return text.substr(sealed_text.size()) == tail_for(sealed_text);
}

}  // namespace

std::string seal(const json::Json &document) {
  std::string text = json::to_text(document);
  text.replace(text.size() - kObjectEnd.size(), kObjectEnd.size(), ",\n");
  return text + tail_for(text);
}

Result<SealedDocument> read_sealed(const std::filesystem::path &path) {
  SealedDocument document;
  document.path = path.string();
  PYC_TRY(document.text, read_file(path, kEvidenceFileLimitBytes));
  PYC_TRY(document.value, json::parse_strict(document.text, document.path));
  return document;
}

void require_kind(json::ObjectReader &fields, Kind kind) {
  fields.one_of("schema", {kEvidenceSchema});
  fields.one_of("kind", {to_string(kind)});
}

Status finish_sealed(const SealedDocument &document, json::ObjectReader &fields) {
  fields.string("seal");
  PYC_CHECK(fields.finish());
  if (seal_holds(document.text)) return {};
  return fail(ErrorKind::kInvalid,
              fmt::format("'{}': the seal does not match: the file was changed after pyc wrote it",
                          printable_path(document.path)),
              "make new evidence with `pyc hpc validate` or `pyc hpc bench`");
}

}  // namespace pyc::evidence
