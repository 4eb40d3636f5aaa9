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

json::Json to_value(const PtxasFigures &figures) {
  return json::Json{{"kernels", figures.kernels},
                    {"registers_per_thread", figures.registers_per_thread},
                    {"spill_bytes", figures.spill_bytes},
                    {"stack_bytes", figures.stack_bytes},
                    {"static_shared_bytes", figures.static_shared_bytes}};
}

PtxasFigures get_ptxas(json::ObjectReader fields) {
  PtxasFigures figures;
  figures.kernels = static_cast<int>(fields.integer("kernels", 0, INT32_MAX));
  figures.registers_per_thread = static_cast<int>(fields.integer("registers_per_thread", 0, INT32_MAX));
  figures.spill_bytes = fields.integer("spill_bytes", 0, INT64_MAX);
  figures.stack_bytes = fields.integer("stack_bytes", 0, INT64_MAX);
  figures.static_shared_bytes = fields.integer("static_shared_bytes", 0, INT64_MAX);
  fields.finish();
  return figures;
}

std::vector<Check> get_checks(json::ObjectReader &fields) {
  std::vector<Check> checks;
  for (json::ObjectReader &check : fields.objects("sanitizers")) {
    checks.push_back(get_check(check));
    check.finish();
  }
  return checks;
}

json::Json to_value(const OwnHarness &own) {
  json::Json value = {{"compile_command", own.compile_command}, {"run_command", own.run_command}, {"ended", own.ended}};
  if (own.return_code) value["return_code"] = *own.return_code;
  if (own.best_ms) value["best_ms"] = *own.best_ms;
  if (own.gflops) value["gflops"] = *own.gflops;
  return value;
}

OwnHarness get_own_harness(json::ObjectReader fields) {
  OwnHarness own;
  own.compile_command = fields.string("compile_command");
  own.run_command = fields.string("run_command");
  own.ended = fields.string("ended");
  if (const auto code = fields.optional_integer("return_code", 0, 255)) own.return_code = static_cast<int>(*code);
  own.best_ms = fields.optional_number("best_ms");
  own.gflops = fields.optional_number("gflops");
  fields.finish();
  return own;
}

}  // namespace

bool ShapeValidation::has_failed_check() const {
  return std::any_of(checks.begin(), checks.end(), [](const Check &check) { return check.status == "failed"; });
}

int Validation::failed_shapes() const {
  return static_cast<int>(
      std::count_if(shapes.begin(), shapes.end(), [](const ShapeValidation &s) { return s.status != "passed"; }));
}

std::optional<bool> Validation::deterministic() const {
  std::optional<bool> all;
  for (const ShapeValidation &shape : shapes) {
    for (const Check &check : shape.checks)
      if (check.deterministic) all = all.value_or(true) && *check.deterministic;
  }
  return all;
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
  if (validation.ptxas) document["ptxas"] = to_value(*validation.ptxas);
  json::Json &shapes = document["shapes"] = json::Json::array();
  for (const ShapeValidation &shape : validation.shapes) shapes.push_back(to_value(shape));
  if (!validation.sanitizers.empty()) document["sanitizers"] = list_of(validation.sanitizers);
  if (validation.own_harness) document["own_harness"] = to_value(*validation.own_harness);
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
  if (fields.has("ptxas")) validation.ptxas = get_ptxas(fields.object("ptxas"));
  for (const json::ObjectReader &shape : fields.objects("shapes"))
    validation.shapes.push_back(get_shape_validation(shape));
  if (fields.has("sanitizers")) validation.sanitizers = get_checks(fields);
  if (fields.has("own_harness")) validation.own_harness = get_own_harness(fields.object("own_harness"));
  validation.header.logs = get_logs(fields.object("logs"));
  PYC_CHECK(finish_sealed(document, fields));
  return validation;
}

}  // namespace pyc::evidence
