// A small, strict reader of JSON for the request. Refuses what RFC 8259 refuses, duplicate keys, documents over 4 MiB
// and nesting deeper than 16. Numbers keep their text, so that a 64-bit seed survives.
#ifndef PYC_HARNESS_JSON_READER_H
#define PYC_HARNESS_JSON_READER_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bad_request.h"

namespace pyc::harness {

struct Json {
  enum class Kind { null, boolean, number, string, list, object };

  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;  // of a string, decoded; of a number, as written
  std::vector<Json> items;
  std::vector<std::pair<std::string, Json>> members;

  // The member of an object with that key, or null.
  const Json *find(std::string_view key) const;
};

const char *kind_name(Json::Kind kind);

// The document; throws BadRequest with the byte where it went wrong.
Json read_json(std::string_view text);

}  // namespace pyc::harness

#endif
