// kernels/lab/manifests/task_baselines.json: which kernel a task has to beat.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyc::workspace {

constexpr const char *kGenericArch = "generic";  // a baseline for every arch that has none of its own

struct LabBaseline {
  std::string task_kind, backend, arch;  // its key
  std::string kernel, source;            // source: where it came from, such as "task:NAME"
  std::optional<std::string> updated_utc;
  std::string notes;
};

struct LabBaselines {
  std::vector<LabBaseline> entries;  // in the order of the file, one for each key
  // The one of this arch, else the generic one, else null.
  const LabBaseline *find(std::string_view task_kind, std::string_view backend, std::string_view arch) const;
  void put(LabBaseline baseline);  // in place of the one with the same key, else at the end
};

// kSchema, naming file, field and what was expected.
Result<LabBaselines> parse_lab_baselines(std::string_view json, const std::string &file_in_messages);
// A file that is absent has no entries.
Result<LabBaselines> read_lab_baselines(const std::filesystem::path &path);
std::string to_json(const LabBaselines &baselines);

}  // namespace pyc::workspace
