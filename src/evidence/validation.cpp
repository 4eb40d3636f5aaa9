#include <algorithm>

#include "evidence/documents.h"
#include "evidence/record_fields.h"
#include "evidence/sealed_document.h"

namespace pyc::evidence {
namespace {

json::Json to_value(const ShapeValidation &shape) {
  json::Json value = json::Json::object();
  put_shape(value, shape.shape);
  value["timed"] = shape.timed;
  value["status"] = shape.status;
  value["elapsed_ns"] = shape.elapsed_ns;
  if (shape.launches) value["launches"] = to_value(*shape.launches);
  value["checks"] = list_of(shape.checks);
  return value;
}

ShapeValidation get_shape_validation(json::ObjectReader fields) {
  ShapeValidation shape;
  shape.shape = get_shape(fields);
  shape.timed = fields.boolean("timed");
  shape.status = fields.one_of("status", {"passed", "failed", "unfinished"});
  shape.elapsed_ns = fields.integer("elapsed_ns", 0, INT64_MAX);
  if (auto launches = fields.optional_object("launches")) {
    shape.launches = get_launches(*launches);
    launches->finish();
  }
  for (json::ObjectReader &check : fields.objects("checks")) {
    shape.checks.push_back(get_check(check));
    check.finish();
  }
  fields.finish();
  return shape;
}

std::vector<Check> get_checks(json::ObjectReader &fields) {
  std::vector<Check> checks;
  for (json::ObjectReader &check : fields.objects("sanitizers")) {
    checks.push_back(get_check(check));
    check.finish();
  }
  return checks;
}

}  // namespace

bool ShapeValidation::has_failed_check() const {
  return std::any_of(checks.begin(), checks.end(), [](const Check &check) { return check.status == "failed"; });
}

int Validation::failed_shapes() const {
  return static_cast<int>(
      std::count_if(shapes.begin(), shapes.end(), [](const ShapeValidation &s) { return s.status != "passed"; }));
}

json::Json to_value(const Tolerance &tolerance) {
  return json::Json{{"absolute", tolerance.absolute}, {"relative", tolerance.relative}};
}

Tolerance get_tolerance(json::ObjectReader fields) {
  Tolerance tolerance{fields.number("absolute"), fields.number("relative")};
  fields.finish();
  return tolerance;
}

std::string to_json(const Validation &validation) {
  json::Json document = json::Json::object();
  put_header(document, validation.header);
  document[kBodyStart] = validation.seed;
  document["tolerance"] = to_value(validation.tolerance);
  document["depth"] = validation.depth;
  json::Json &shapes = document["shapes"] = json::Json::array();
  for (const ShapeValidation &shape : validation.shapes) shapes.push_back(to_value(shape));
  if (!validation.sanitizers.empty()) document["sanitizers"] = list_of(validation.sanitizers);
  document["logs"] = to_value(validation.header.logs);
  return seal(document);
}

Result<Validation> read_validation(const std::filesystem::path &path) {
  PYC_TRY(const SealedDocument document, read_sealed(path));
  json::ObjectReader fields(document.value, path.string());
  require_kind(fields, Kind::kValidation);
  Validation validation;
  validation.header = get_header(fields);
  validation.seed = fields.unsigned_integer(kBodyStart);
  validation.tolerance = get_tolerance(fields.object("tolerance"));
  validation.depth = fields.one_of("depth", {"default", "quick"});
  for (const json::ObjectReader &shape : fields.objects("shapes"))
    validation.shapes.push_back(get_shape_validation(shape));
  if (fields.has("sanitizers")) validation.sanitizers = get_checks(fields);
  validation.header.logs = get_logs(fields.object("logs"));
  PYC_CHECK(finish_sealed(document, fields));
  return validation;
}

}  // namespace pyc::evidence
