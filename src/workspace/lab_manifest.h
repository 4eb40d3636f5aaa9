// kernels/lab/manifests/kernels.json: the lab's kernels, each with the commands that compile and run it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyc::workspace {

struct LabKernel {
  std::string name, source, description;  // source: relative to the workspace
  std::vector<std::string> tags;
  std::string compile_cmd, run_cmd;  // words with placeholders; empty: there is no such phase
  bool has_tag(std::string_view tag) const;
};

struct LabManifest {
  std::vector<LabKernel> kernels;  // in the order of the file
  const LabKernel *find(std::string_view name) const;
  std::vector<std::string> names() const;
};

// What may stand between braces in a command: name, source, root, build_dir, nvcc.
const std::vector<std::string> &lab_placeholders();

// A command as one process: no shell reads it. What stands before the program as NAME=VALUE is environment.
struct LabCommand {
  std::map<std::string, std::string> environment;
  std::vector<std::string> words;
  std::string text() const;  // as a shell would read it
};
// Split as a shell would, without any other expansion. kInvalid, beginning with `what`, for an open quote and for no
// program.
Result<LabCommand> split_lab_command(const std::string &command, const std::string &what);
// The same for a command of a manifest, whose placeholders are left: kInvalid for one that is not known too.
Result<LabCommand> split_kernel_command(const std::string &command, const std::string &what);
bool has_lab_placeholder(const LabCommand &command, const std::string &name);
// With values, by name, for all of them.
LabCommand fill_lab_command(LabCommand command, const std::map<std::string, std::string> &values);

// Letters, digits and . _ - , with a letter or digit first, at most 128: a name can stand in a path.
bool is_lab_name(std::string_view name);

// kSchema, naming file, field and what was expected: text that is not JSON, unknown, missing or repeated keys, wrong
// types, a name that stands twice, a source outside the workspace, a command that cannot be split or expanded.
Result<LabManifest> parse_lab_manifest(std::string_view json, const std::string &file_in_messages);
// kInvalid if there is no such file; the rest is kSchema.
Result<LabManifest> read_lab_manifest(const std::filesystem::path &path);

// kInvalid with the nearest name if the manifest has no such kernel.
Result<LabKernel> require_lab_kernel(const LabManifest &manifest, const std::string &name);

}  // namespace pyc::workspace
