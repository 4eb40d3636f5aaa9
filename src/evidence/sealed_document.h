// The frame that every evidence document shares: the header first, then a body that begins with kBodyStart, then the
// logs, then the seal. Only src/evidence includes this.
#pragma once

#include <filesystem>
#include <string>

#include "evidence/json_fields.h"
#include "evidence/records.h"

namespace pyc::evidence {

constexpr const char *kBodyStart = "seed";  // the first key behind the header, in every kind

// The document's text with a last key `seal`: the SHA-256 of every byte before that key's line.
std::string seal(const json::Json &document);

struct SealedDocument {
  json::Json value;
  std::string path, text;
};
Result<SealedDocument> read_sealed(const std::filesystem::path &path);

// Refuses another schema or kind before its fields are taken for mistakes.
void require_kind(json::ObjectReader &fields, Kind kind);

// Errors of fields first, because they say more; then kInvalid if the seal is not that of the text.
Status finish_sealed(const SealedDocument &document, json::ObjectReader &fields);

}  // namespace pyc::evidence
