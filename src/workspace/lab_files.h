// What the readers of the lab's files have in common. Private to workspace/.
#pragma once

#include <filesystem>
#include <string>

#include "evidence/json_fields.h"
#include "workspace/lab_manifest.h"

namespace pyc::workspace {

// The file's text. kInvalid with `hint` if there is no such file; kSchema if it cannot be read as text.
Result<std::string> read_lab_file(const std::filesystem::path &path, const std::string &what, const std::string &hint);

// The same error as one of the file's contents.
tl::unexpected<Error> schema_error(Error error);

// `parse` of text and file name, with every failure as one of the file's contents.
template <class T>
Result<T> parse_as_schema(Result<T> parsed) {
  if (parsed) return parsed;
  return schema_error(std::move(parsed.error()));
}

// A kernel as it stands in the manifest and, copied, in tasks and results.
LabKernel read_lab_kernel(json::ObjectReader &fields);
json::Json to_value(const LabKernel &kernel);

}  // namespace pyc::workspace
