// Evidence as JSON files. Keys in a fixed order; every document ends with `seal`, the SHA-256 of all that stands before
// it, so that a hand-edited or truncated file is told from the tool's own. The seal is not a signature: it guards
// against accidents and quick edits, and the gate derives every figure again from the raw samples.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "evidence/records.h"

namespace pyc::evidence {

constexpr const char *kEvidenceSchema = "pyc.evidence/1";

std::string to_json(const Validation &validation);
std::string to_json(const Benchmark &benchmark);
std::string to_json(const Profile &profile);

// kInvalid, naming the file and the field, for anything that is not a whole, sealed document of that kind: another kind
// or schema, unknown or missing keys, wrong types, broken UTF-8, a broken seal, more than kEvidenceFileLimitBytes.
Result<Validation> read_validation(const std::filesystem::path &path);
Result<Benchmark> read_benchmark(const std::filesystem::path &path);
Result<Profile> read_profile(const std::filesystem::path &path);

// A document's header without its logs, read without the body. The seal is not looked at.
struct Summary {
  std::filesystem::path path;
  Header header;
};
Result<Summary> read_summary(const std::filesystem::path &path);

// What `list` asks of very many documents: only their first lines are read, some 20 us each. The seal is not looked at.
struct Outline {
  Kind kind = Kind::kValidation;
  DocumentStatus status = DocumentStatus::kError;
  std::string created_utc, candidate, digest;
};
Result<Outline> read_outline(const std::filesystem::path &path);

// NAME-validation-20260131T123456789Z.json
std::string file_name(const std::string &candidate, Kind kind, const std::string &file_stamp);

}  // namespace pyc::evidence
