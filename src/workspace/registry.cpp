#include "workspace/registry.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "base/files.h"

namespace pyc::workspace {

namespace fs = std::filesystem;

namespace {

using FileContents = std::pair<fs::path, std::string>;

// What parse_registry() accepts, in its order.
Result<Registry> checked(const Workspace &workspace, const Registry &registry) {
  return parse_registry(to_json(registry), workspace.relative(workspace.registry()));
}

std::vector<FileContents> generated_files(const Workspace &workspace, const Registry &registry) {
  return {{workspace.generated() / "generated_registry.cu", generated_registry_cu(registry)},
          {workspace.generated() / "generated_kernels.cmake", generated_kernels_cmake(registry)}};
}

// Absent and unreadable files are not current either.
bool is_current(const FileContents &file) {
  const auto on_disk = read_file(file.first);
  return on_disk && *on_disk == file.second;
}

Status write_stale(const Workspace &workspace, std::vector<FileContents> files) {
  std::erase_if(files, is_current);
  PYC_CHECK(make_folder(workspace.generated()));
  return write_files_atomic(files);
}

}  // namespace

std::string Record::selector() const { return fmt::format("gemm/{}/{}/{}", dtype, layout, shape_family); }

const Entry *Registry::find(std::string_view selector, std::string_view arch) const {
  for (const Entry &entry : entries) {
    if (entry.record.arch == arch && entry.record.selector() == selector) return &entry;
  }
  return nullptr;
}

const Entry *Registry::find_name(std::string_view name) const {
  for (const Entry &entry : entries) {
    if (entry.record.name == name) return &entry;
  }
  return nullptr;
}

Result<Registry> read_registry(const Workspace &workspace) {
  PYC_TRY(const std::string text, read_file(workspace.registry()));
  return advised(parse_registry(text, workspace.relative(workspace.registry())),
                 "only promote and sync write it: restore it from version control");
}

Result<std::vector<std::string>> stale_generated_files(const Workspace &workspace, const Registry &registry) {
  PYC_TRY(const Registry sorted, checked(workspace, registry));
  std::vector<std::string> stale;
  for (const FileContents &file : generated_files(workspace, sorted)) {
    if (!is_current(file)) stale.push_back(workspace.relative(file.first));
  }
  return stale;
}

Status write_registry(const Workspace &workspace, const Registry &registry) {
  PYC_TRY(const Registry sorted, checked(workspace, registry));
  std::vector<FileContents> files = generated_files(workspace, sorted);
  files.insert(files.begin(), {workspace.registry(), to_json(sorted)});
  return write_stale(workspace, std::move(files));
}

Status write_generated_files(const Workspace &workspace, const Registry &registry) {
  PYC_TRY(const Registry sorted, checked(workspace, registry));
  return write_stale(workspace, generated_files(workspace, sorted));
}

}  // namespace pyc::workspace
