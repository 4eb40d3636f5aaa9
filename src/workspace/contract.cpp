#include "workspace/contract.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "base/files.h"
#include "toolchain/arch.h"
#include "workspace/contract_fields.h"
#include "workspace/families.h"
#include "workspace/lab_manifest.h"
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

std::string read_legacy_command(ObjectReader &fields, const char *key) {
  std::string command = fields.string(key);
  const auto split = split_kernel_command(command, key);
  if (!fields.failed() && !split) fields.refuse(key, fmt::format("a command ({})", split.error().message));
  return command;
}

LegacyOrigin read_legacy(ObjectReader fields) {
  LegacyOrigin legacy;
  legacy.name = fields.string("name");
  if (!fields.failed() && !is_lab_name(legacy.name)) fields.refuse("name", "the name of a kernel of the lab");
  legacy.source = fields.string("source");
  legacy.compile_cmd = read_legacy_command(fields, "compile_cmd");
  legacy.run_cmd = read_legacy_command(fields, "run_cmd");
  fields.finish();
  return legacy;
}

Json legacy_json(const LegacyOrigin &legacy) {
  return {{"name", legacy.name},
          {"source", legacy.source},
          {"compile_cmd", legacy.compile_cmd},
          {"run_cmd", legacy.run_cmd}};
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
  if (contract.legacy) json["legacy"] = legacy_json(*contract.legacy);
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

bool Contract::has_loose_tolerance() const {
  const auto usual = default_tolerance(dtype);
  const evidence::Tolerance mine = effective_tolerance();
  return !usual || mine.absolute > usual->absolute || mine.relative > usual->relative;
}

Result<Contract> parse_contract(std::string_view text, const std::string &file) {
  PYC_TRY(const Json document, json::parse_strict(text, file));
  ObjectReader fields(document, file);
  Contract contract;
  fields.one_of("schema", {kContractSchema});
  if (fields.has("kind")) contract.kind = fields.one_of("kind", {"standard", kImportedKind});
  if (fields.has("legacy")) contract.legacy = read_legacy(fields.object("legacy"));
  if (contract.legacy && !contract.is_imported()) fields.refuse("legacy", "no such field, or \"kind\": \"imported\"");
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
  PYC_TRY(Contract contract, advised(parse_contract(text, file), "every field: docs/reference/kernel-json.md"));
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
  Json declared = {{"priority", contract.runtime.priority}};
  if (contract.runtime.tensor_core) declared["tensor_core"] = true;  // where false, digests are as they ever were
  return contract_json(contract, std::move(declared)).dump();
}

}  // namespace pyc::workspace
