#include "workspace/lab_files.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"

namespace pyc::workspace {
namespace {

bool is_inside(const std::string &source) {
  const std::filesystem::path path = std::filesystem::path(source).lexically_normal();
  return !source.empty() && source.find('\0') == std::string::npos && path.is_relative() && *path.begin() != ".." &&
         path != ".";
}

// Empty: there is nothing to run, which is allowed.
std::string read_command(json::ObjectReader &fields, const char *key) {
  const std::string command = fields.string(key);
  if (trim(command).empty() || fields.failed()) return {};
  const auto split = split_kernel_command(command, key);
  if (!split) fields.refuse(key, fmt::format("a command ({}; {})", split.error().message, split.error().hint));
  return command;
}

}  // namespace

tl::unexpected<Error> schema_error(Error error) {
  error.kind = ErrorKind::kSchema;
  if (error.hint.empty()) error.hint = "mend the file or restore it; its form: docs/compiler-next/kernel-lab.md";
  return tl::unexpected<Error>(std::move(error));
}

Result<std::string> read_lab_file(const std::filesystem::path &path, const std::string &what, const std::string &hint) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return fail(ErrorKind::kInvalid, fmt::format("there is no {} '{}'", what, printable(path.string())), hint);
  return parse_as_schema(read_file(path));
}

LabKernel read_lab_kernel(json::ObjectReader &fields) {
  LabKernel kernel;
  kernel.name = fields.string("name");
  if (!fields.failed() && !is_lab_name(kernel.name))
    fields.refuse("name", "1 to 128 letters, digits, '.', '_' and '-', with a letter or digit first");
  kernel.source = fields.string("source");
  if (!fields.failed() && !is_inside(kernel.source)) fields.refuse("source", "a path inside the workspace");
  kernel.description = fields.optional_string("description").value_or("");
  if (fields.has("tags")) kernel.tags = fields.strings("tags");
  kernel.compile_cmd = read_command(fields, "compile_cmd");
  kernel.run_cmd = read_command(fields, "run_cmd");
  return kernel;
}

json::Json to_value(const LabKernel &kernel) {
  return {{"name", kernel.name}, {"source", kernel.source},           {"description", kernel.description},
          {"tags", kernel.tags}, {"compile_cmd", kernel.compile_cmd}, {"run_cmd", kernel.run_cmd}};
}

}  // namespace pyc::workspace
