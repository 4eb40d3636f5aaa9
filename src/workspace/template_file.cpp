// template.json: the reader behind read_templates().
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "evidence/json_fields.h"
#include "toolchain/arch.h"
#include "workspace/contract_fields.h"
#include "workspace/families.h"
#include "workspace/template.h"

namespace pyc::workspace {

namespace fs = std::filesystem;
using json::Json;
using json::ObjectReader;

namespace {

constexpr const char *kTemplateSchema = "pyc.template/1";
constexpr std::int64_t kValueLimit = std::numeric_limits<std::int32_t>::max();  // constants are C++ ints

bool is_constant_name(std::string_view name) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return name.size() >= 2 && name[0] == 'k' && std::all_of(name.begin(), name.end(), is_letter_or_digit);
}

std::vector<std::string> read_subset(ObjectReader &fields, const char *key, const std::vector<std::string> &known) {
  std::vector<std::string> names = fields.strings(key);
  const auto is_known = [&](const std::string &name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  if (names.empty() || !std::all_of(names.begin(), names.end(), is_known)) {
    fields.refuse(key, "a list with some of " + join(known, ", "));
  }
  return names;
}

// `value` is the same object as `fields`: its "default" may be of two types.
TemplateParameter read_parameter(ObjectReader &fields, const Json &value) {
  TemplateParameter parameter;
  parameter.name = fields.string("name");
  if (!is_name(parameter.name)) fields.refuse("name", "lower-case letters, digits and '_'");
  parameter.constant = fields.string("constant");
  if (!is_constant_name(parameter.constant)) fields.refuse("constant", "a C++ name such as kTileM");
  const bool computed = value.is_object() && value.contains("default") && value["default"].is_string();
  if (computed) {
    parameter.default_expression = fields.string("default");
  } else {
    parameter.default_value = fields.integer("default", 0, kValueLimit);
  }
  parameter.minimum = fields.integer("minimum", 0, kValueLimit);
  parameter.maximum = fields.integer("maximum", parameter.minimum, kValueLimit);
  parameter.multiple_of = fields.optional_integer("multiple_of", 1, kValueLimit).value_or(1);
  if (fields.has("values")) parameter.values = fields.integers("values", parameter.minimum, parameter.maximum);
  parameter.description = fields.string("description");
  fields.finish();
  return parameter;
}

void read_parameters(ObjectReader &fields, const Json &document, Template &result) {
  std::vector<ObjectReader> entries = fields.objects("parameters");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    TemplateParameter parameter = read_parameter(entries[i], document["parameters"][i]);
    const auto is_same = [&](const TemplateParameter &other) {
      return other.name == parameter.name || other.constant == parameter.constant;
    };
    if (std::any_of(result.parameters.begin(), result.parameters.end(), is_same)) {
      entries[i].refuse("name", "a name and a constant that no other parameter has");
    }
    result.parameters.push_back(std::move(parameter));
  }
}

// A template promises nothing about its dtype's size, so the alignment is raised to one element of the widest.
Requires read_template_requires(ObjectReader fields, const std::vector<std::string> &dtypes) {
  Requires bounds = read_requires(std::move(fields), 1);
  for (const std::string &dtype : dtypes) {
    bounds.pointer_alignment = std::max(bounds.pointer_alignment, static_cast<std::int64_t>(element_bytes(dtype)));
  }
  return bounds;
}

Result<Template> parse_template(const std::string &text, const std::string &file, const fs::path &folder) {
  PYC_TRY(const Json document, json::parse_strict(text, file));
  ObjectReader fields(document, file);
  Template result;
  result.folder = folder;
  fields.one_of("schema", {kTemplateSchema});
  result.name = fields.string("name");
  const std::string expected = folder.filename().string();
  if (result.name != expected) fields.refuse("name", fmt::format("\"{}\", the folder's name", expected));
  result.description = fields.string("description");
  result.dtypes = read_subset(fields, "dtype", dtype_names());
  result.layouts = read_subset(fields, "layouts", layout_names());
  result.arches = read_subset(fields, "archs", toolchain::arch_names());
  read_parameters(fields, document, result);
  for (ObjectReader &rule : fields.objects("rules")) {
    result.rules.push_back({rule.string("rule"), rule.string("message")});
    rule.finish();
  }
  result.requirements = read_template_requires(fields.object("requires"), result.dtypes);
  result.workspace = fields.boolean("workspace");
  ObjectReader runtime = fields.object("runtime");
  result.tensor_core = runtime.boolean("tensor_core");
  runtime.finish();
  PYC_CHECK(fields.finish());
  return result;
}

std::vector<std::string> template_names(const Workspace &workspace) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(workspace.templates(), error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (fs::exists(entry->path() / "template.json", ignored)) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<Template> read_named(const Workspace &workspace, const std::string &name) {
  const fs::path folder = workspace.templates() / name;
  PYC_TRY(const std::string text, read_file(folder / "template.json"));
  return advised(parse_template(text, workspace.relative(folder / "template.json"), folder),
                 "every field: docs/reference/template-json.md");
}

}  // namespace

Result<std::vector<Template>> read_templates(const Workspace &workspace) {
  std::vector<Template> templates;
  for (const std::string &name : template_names(workspace)) {
    PYC_TRY(Template found, read_named(workspace, name));
    templates.push_back(std::move(found));
  }
  return templates;
}

Result<Template> read_template(const Workspace &workspace, const std::string &name) {
  const std::vector<std::string> names = template_names(workspace);
  if (std::find(names.begin(), names.end(), name) != names.end()) return read_named(workspace, name);
  return fail(
      ErrorKind::kInvalid,
      fmt::format("there is no template '{}' in {}", printable(name, 80), workspace.relative(workspace.templates())),
      names.empty() ? "the workspace has no templates" : suggest(name, names));
}

}  // namespace pyc::workspace
