#include "evidence/record_fields.h"

namespace pyc::evidence {
namespace {

json::Json to_value(const FirstWrong &first) {
  json::Json value = json::Json::object();
  value["row"] = first.row;
  value["column"] = first.column;
  value["expected"] = first.expected;
  value["got"] = first.got;
  value["error"] = first.error;
  if (first.tile_row) value["tile_row"] = *first.tile_row;
  if (first.tile_column) value["tile_column"] = *first.tile_column;
  return value;
}

FirstWrong get_first_wrong(json::ObjectReader fields) {
  FirstWrong first;
  first.row = fields.integer("row", 0, INT64_MAX);
  first.column = fields.integer("column", 0, INT64_MAX);
  first.expected = fields.string("expected");
  first.got = fields.string("got");
  first.error = fields.string("error");
  first.tile_row = fields.optional_integer("tile_row", 0, INT64_MAX);
  first.tile_column = fields.optional_integer("tile_column", 0, INT64_MAX);
  fields.finish();
  return first;
}

// The harness writes a measure that is not finite as text; evidence leaves it out.
std::optional<double> get_measure(json::ObjectReader &fields, const char *key) {
  if (fields.is_string(key)) return fields.one_of(key, {"nan", "inf", "-inf"}), std::nullopt;
  return fields.optional_number(key);
}

}  // namespace

json::Json to_value(const Check &check) {
  json::Json value = json::Json::object();
  value["check"] = check.check;
  put_optional(value, "variant", check.variant);
  value["status"] = check.status;
  put_optional(value, "reason", check.reason);
  put_optional(value, "max_abs_error", check.max_abs_error);
  put_optional(value, "max_rel_error", check.max_rel_error);
  put_optional(value, "normwise_error", check.normwise_error);
  put_optional(value, "normwise_bound", check.normwise_bound);
  value["violations"] = check.violations;
  value["elements"] = check.elements;
  if (check.first) value["first"] = to_value(*check.first);
  if (check.deterministic) value["deterministic"] = *check.deterministic;
  return value;
}

Check get_check(json::ObjectReader &fields) {
  Check check;
  check.check = fields.string("check");
  check.variant = fields.optional_string("variant").value_or("");
  check.status = fields.one_of("status", {"passed", "failed", "skipped"});
  check.reason = fields.optional_string("reason").value_or("");
  check.max_abs_error = get_measure(fields, "max_abs_error");
  check.max_rel_error = get_measure(fields, "max_rel_error");
  check.normwise_error = get_measure(fields, "normwise_error");
  check.normwise_bound = get_measure(fields, "normwise_bound");
  check.violations = fields.optional_integer("violations", 0, INT64_MAX).value_or(0);
  check.elements = fields.optional_integer("elements", 0, INT64_MAX).value_or(0);
  if (auto first = fields.optional_object("first")) check.first = get_first_wrong(*first);
  check.deterministic = fields.optional_boolean("deterministic");
  return check;
}

}  // namespace pyc::evidence
