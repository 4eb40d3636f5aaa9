// Strict reading of JSON documents, shared by the readers of evidence and of kernels/ (nothing else includes this).
// A reader asks for each field with its type and range; the first thing that is wrong is kept, later getters answer
// zero or empty values, and finish() tells. So a reader is a plain list of fields:
//
//     PYC_TRY(const json::Json document, json::parse_strict(text, file));
//     json::ObjectReader fields(document, file);
//     contract.name = fields.string("name");
//     json::ObjectReader bounds = fields.object("requires");
//     contract.requirements.m_multiple = bounds.integer("m_multiple", 1, 4096);
//     bounds.finish();
//     PYC_CHECK(fields.finish());
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyc::json {

using Json = nlohmann::ordered_json;  // keeps the order of keys

constexpr int kDepthLimit = 32;

// The text as a value. kInvalid, naming `file` and where it stands, for text that is not one JSON value: syntax,
// duplicate keys, broken UTF-8, more than kDepthLimit levels, trailing text. The size is the file reader's to bound.
Result<Json> parse_strict(std::string_view text, const std::string &file);

class ObjectReader {
 public:
  // The top of a document. `value` outlives the reader; a value that is not an object is the first error.
  ObjectReader(const Json &value, const std::string &file);

  bool has(const char *key);              // the key is known from now on
  bool is_null(const char *key);          // present, and null
  bool is_string(const char *key);        // for the few fields that may be one of two types
  std::vector<std::string> keys() const;  // in the order of the document; they still count as unknown until read

  // Required fields. A missing field, another type or a value out of range is an error.
  std::string string(const char *key);
  std::string one_of(const char *key, const std::vector<std::string> &allowed);
  std::int64_t integer(const char *key, std::int64_t minimum, std::int64_t maximum);  // 1.0 is no integer
  std::uint64_t unsigned_integer(const char *key);
  double number(const char *key);  // finite; an integer will do
  double number(const char *key, double minimum, double maximum);
  bool boolean(const char *key);
  ObjectReader object(const char *key);
  std::vector<ObjectReader> objects(const char *key);
  std::vector<std::string> strings(const char *key);
  std::vector<double> numbers(const char *key);
  std::vector<std::int64_t> integers(const char *key, std::int64_t minimum, std::int64_t maximum);

  // Optional fields: no value if the key is absent; null is a wrong type like any other.
  std::optional<std::string> optional_string(const char *key);
  std::optional<std::int64_t> optional_integer(const char *key, std::int64_t minimum, std::int64_t maximum);
  std::optional<double> optional_number(const char *key);
  std::optional<double> optional_number(const char *key, double minimum, double maximum);
  std::optional<bool> optional_boolean(const char *key);
  std::optional<ObjectReader> optional_object(const char *key);

  // The field is known and deliberately not read.
  void skip(const char *key);
  // Records that the field's value breaks a rule of its own: "field 'symbol': expected pyc_gemm_NAME, got "x; }"".
  void refuse(const char *key, const std::string &expected);

  // Refuses fields that no getter asked for, and where one of them is nearly the name of the missing field, says so.
  // The status is that of the whole document so far.
  Status finish();
  Status status() const;
  bool failed() const { return first_error_->has_value(); }

 private:
  using FirstError = std::optional<Error>;
  ObjectReader(const Json &value, const std::string &file, std::string path, std::shared_ptr<FirstError> first_error);

  std::string path_of(const std::string &key) const;
  void note(std::string message, std::string hint = {});
  void note_missing(const std::string &key, const std::string &expected);
  void note_unexpected(const std::string &key, const std::string &expected, const Json &got);
  const Json *find(const char *key);                                  // null if absent; the key is known from now on
  const Json *require(const char *key, const std::string &expected);  // notes a missing field
  const Json *require_list(const char *key, const std::string &expected);

  const Json *value_;
  std::string file_, path_;
  std::set<std::string> known_;
  std::string missing_;  // the required field whose absence is the first error
  std::shared_ptr<FirstError> first_error_;
};

// JSON for people and tools: two spaces an indent, lists without objects or lists in them on one line, a final newline.
// Numbers are written so that reading them gives the same value back; broken UTF-8 becomes U+FFFD.
std::string to_text(const Json &value);

}  // namespace pyc::json
