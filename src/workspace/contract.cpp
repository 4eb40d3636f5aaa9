#include "workspace/contract.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "base/files.h"
#include "toolchain/arch.h"
#include "workspace/contract_fields.h"
#include "workspace/families.h"
#include "workspace/workspace.h"

namespace pyc::workspace {

using json::Json;
using json::ObjectReader;

namespace {

constexpr std::int64_t kParameterLimit = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kShapesLimit = 64;
constexpr double kToleranceLimit = 1;  // outputs have unit variance: more would accept anything

void read_name(ObjectReader &fields, Contract &contract) {
  contract.name = fields.string("name");
  if (!is_candidate_name(contract.name)) {
    fields.refuse("name", "1 to 63 of a-z, 0-9 and '_', with a letter first, and no name that PyC needs itself");
  }
  contract.symbol = fields.string("symbol");
  if (contract.symbol != "pyc_gemm_" + contract.name) fields.refuse("symbol", "pyc_gemm_" + contract.name);
}

void read_template_of(ObjectReader fields, Contract &contract) {
  contract.template_name = fields.string("name");
  if (!is_name(contract.template_name)) fields.refuse("name", "the name of a template");
  ObjectReader parameters = fields.object("parameters");
  for (const std::string &key : parameters.keys()) {
    if (!is_name(key)) parameters.refuse(key.c_str(), "a parameter's name, such as tile_m");
    contract.template_parameters[key] = parameters.integer(key.c_str(), 0, kParameterLimit);
  }
  parameters.finish();
  fields.finish();
}

void read_shapes(ObjectReader &fields, Contract &contract) {
  for (ObjectReader &entry : fields.objects("shapes")) {
    contract.shapes.push_back(read_shape(entry));
    entry.finish();
    if (fields.failed()) return;
    const evidence::Shape &shape = contract.shapes.back();
    const char *family = pyc_shape_family_name(pyc_gemm_shape_family(shape.m, shape.n, shape.k));
    if (family != contract.shape_family) {
      fields.refuse("shapes", fmt::format("shapes of the family {}; {} is {}", contract.shape_family,
                                          evidence::to_string(shape), family));
    }
    if (std::count(contract.shapes.begin(), contract.shapes.end(), shape) > 1) {
      fields.refuse("shapes", fmt::format("each shape once; {} stands there twice", evidence::to_string(shape)));
    }
  }
  if (contract.shapes.empty() || contract.shapes.size() > kShapesLimit) {
    fields.refuse("shapes", fmt::format("1 to {} shapes (leave the field out for the family's own)", kShapesLimit));
  }
}

evidence::Tolerance read_tolerance(ObjectReader fields) {
  evidence::Tolerance tolerance;
  tolerance.absolute = fields.number("absolute", 0, kToleranceLimit);
  tolerance.relative = fields.number("relative", 0, kToleranceLimit);
  fields.finish();
  return tolerance;
}

Json template_json(const Contract &contract) {
  Json parameters = Json::object();
  for (const auto &[name, value] : contract.template_parameters) parameters[name] = value;
  return {{"name", contract.template_name}, {"parameters", std::move(parameters)}};
}

Json contract_json(const Contract &contract, Json runtime) {
  Json json = {{"schema", kContractSchema},
               {"kind", contract.kind},
               {"name", contract.name},
               {"dtype", contract.dtype},
               {"layout", contract.layout},
               {"arch", contract.arch},
               {"shape_family", contract.shape_family},
               {"symbol", contract.symbol}};
  if (!contract.template_name.empty()) json["template"] = template_json(contract);
  json["requires"] = requires_json(contract.requirements);
  for (const evidence::Shape &shape : contract.shapes) json["shapes"].push_back(shape_json(shape));
  if (contract.tolerance) {
    json["tolerance"] = {{"absolute", contract.tolerance->absolute}, {"relative", contract.tolerance->relative}};
  }
  json["workspace"] = contract.workspace;
  json["runtime"] = std::move(runtime);
  return json;
}

}  // namespace

std::string Contract::selector() const { return fmt::format("gemm/{}/{}/{}", dtype, layout, shape_family); }

std::vector<evidence::Shape> Contract::timed_shapes() const {
  if (!shapes.empty()) return shapes;
  const auto family = family_of_name(shape_family);
  if (!family) return {};
  const auto set = default_shapes(*family);
  return {set.begin(), set.end()};
}

evidence::Tolerance Contract::effective_tolerance() const {
  return tolerance ? *tolerance : default_tolerance(dtype).value_or(evidence::Tolerance{});
}

Result<Contract> parse_contract(std::string_view text, const std::string &file) {
  PYC_TRY(const Json document, json::parse_strict(text, file));
  ObjectReader fields(document, file);
  Contract contract;
  fields.one_of("schema", {kContractSchema});
  if (fields.has("kind")) contract.kind = fields.one_of("kind", {"standard", "imported"});
  read_name(fields, contract);
  contract.dtype = fields.one_of("dtype", dtype_names());
  contract.layout = fields.one_of("layout", layout_names());
  contract.arch = fields.one_of("arch", toolchain::arch_names());
  contract.shape_family = fields.one_of("shape_family", family_names());
  if (fields.has("template")) read_template_of(fields.object("template"), contract);
  const auto element = static_cast<std::int64_t>(element_bytes(contract.dtype));
  contract.requirements = read_requires(fields.object("requires"), element);
  if (fields.has("shapes")) read_shapes(fields, contract);
  if (fields.has("tolerance")) contract.tolerance = read_tolerance(fields.object("tolerance"));
  contract.workspace = fields.optional_boolean("workspace").value_or(false);
  if (fields.has("runtime")) contract.runtime = read_runtime(fields.object("runtime"));
  PYC_CHECK(fields.finish());
  return contract;
}

Result<Contract> read_contract(const std::filesystem::path &candidate_folder, const std::string &file) {
  PYC_TRY(const std::string text, read_file(candidate_folder / "kernel.json"));
  PYC_TRY(Contract contract, parse_contract(text, file));
  const std::string folder = candidate_folder.filename().string();
  if (contract.name == folder) return contract;
  return fail(
      ErrorKind::kInvalid,
      fmt::format("'{}': field 'name': expected \"{}\", the folder's name, got \"{}\"", file, folder, contract.name),
      "a candidate's folder, its name and its symbol go together; copy one with: pyc hpc create gemm --from " +
          contract.name);
}

std::string to_json(const Contract &contract) {
  return json::to_text(contract_json(contract, runtime_json(contract.runtime)));
}

std::string digest_text(const Contract &contract) {
  return contract_json(contract, {{"priority", contract.runtime.priority}}).dump();
}

}  // namespace pyc::workspace
