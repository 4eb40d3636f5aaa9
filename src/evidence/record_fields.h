// The parts of evidence as JSON fields: how each record is written and how it is read back. Documents and harness
// events spell the parts that they share alike, so both use these. Only src/evidence includes this.
#pragma once

#include "evidence/json_fields.h"
#include "evidence/records.h"

namespace pyc::evidence {

// Into an object that other fields stand in too: a shape's m, n, k beside its results.
void put_shape(json::Json &object, const Shape &shape);
Shape get_shape(json::ObjectReader &fields);

json::Json to_value(const Gpu &gpu);
Gpu get_gpu(json::ObjectReader fields);

json::Json to_value(const Tool &tool);
Tool get_tool(json::ObjectReader fields);
json::Json to_value(const Toolchain &toolchain);
Toolchain get_toolchain(json::ObjectReader fields);
json::Json to_value(const Host &host);
Host get_host(json::ObjectReader fields);

json::Json to_value(const Check &check);
// Reads the fields of a check and leaves finish() to the caller, who may have read others.
Check get_check(json::ObjectReader &fields);

json::Json to_value(const Launches &launches);
// Leaves finish() to the caller, as get_check() does.
Launches get_launches(json::ObjectReader &fields);

json::Json to_value(const Tolerance &tolerance);
Tolerance get_tolerance(json::ObjectReader fields);

// All of the header but the logs, which are long and therefore stand behind the body.
void put_header(json::Json &document, const Header &header);
Header get_header(json::ObjectReader &fields);
Kind get_kind(json::ObjectReader &fields);
DocumentStatus get_status(json::ObjectReader &fields);
json::Json to_value(const Logs &logs);
Logs get_logs(json::ObjectReader fields);

// What an arm may be, in the harness's words.
const std::vector<std::string> &arm_roles();
constexpr int kLargestArm = 1000;

// Optional parts are left out of the JSON, never written as null: numbers that are not finite, empty texts.
void put_optional(json::Json &object, const char *key, const std::optional<double> &value);
void put_optional(json::Json &object, const char *key, const std::string &value);

template <class Record>
json::Json list_of(const std::vector<Record> &records) {
  json::Json list = json::Json::array();
  for (const Record &record : records) list.push_back(to_value(record));
  return list;
}

}  // namespace pyc::evidence
