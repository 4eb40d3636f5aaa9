#include "hpc/evidence_index.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace pyc::hpc {
namespace {

std::optional<evidence::Kind> kind_of_name(const std::string &name) {
  for (const evidence::Kind kind :
       {evidence::Kind::kValidation, evidence::Kind::kBenchmark, evidence::Kind::kProfile}) {
    if (name == evidence::to_string(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<EvidenceFileName> parse_name(const std::filesystem::path &path) {
  if (path.extension() != ".json") return std::nullopt;
  const std::vector<std::string> parts = split(path.stem().string(), '-');
  if (parts.size() != 3 || !workspace::is_candidate_name(parts[0])) return std::nullopt;
  const auto kind = kind_of_name(parts[1]);
  if (!kind) return std::nullopt;
  return EvidenceFileName{parts[0], *kind, parts[2], path};
}

}  // namespace

std::vector<EvidenceFileName> evidence_files(const workspace::Workspace &workspace) {
  std::vector<EvidenceFileName> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(workspace.results(), error), end; !error && at != end;
       at.increment(error)) {
    if (auto file = parse_name(at->path())) files.push_back(std::move(*file));
  }
  std::sort(files.begin(), files.end(), [](const EvidenceFileName &a, const EvidenceFileName &b) {
    return a.stamp != b.stamp ? a.stamp > b.stamp : a.path < b.path;
  });
  return files;
}

}  // namespace pyc::hpc
