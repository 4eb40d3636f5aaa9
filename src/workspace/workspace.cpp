#include "workspace/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "base/text.h"

namespace pyc::workspace {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kNameLimit = 63;

bool holds_registry(const fs::path &folder) {
  std::error_code error;
  return fs::is_regular_file(Workspace{folder}.registry(), error);
}

fs::path absolute_path(const fs::path &path) {
  std::error_code error;
  fs::path absolute = fs::absolute(path, error).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

Result<Workspace> workspace_at(const fs::path &folder, const char *named_by) {
  const fs::path root = absolute_path(folder);
  if (holds_registry(root)) return Workspace{root};
  return fail(ErrorKind::kInvalid,
              fmt::format("'{}', given by {}, is not a workspace: it has no kernels/registry/kernels.json",
                          printable(folder.string()), named_by),
              "name the folder that holds kernels/, the root of a PyC checkout");
}

// pyc_gemm_ and one of these is declared in include/pyc (a test compares).
constexpr std::string_view kReservedNames[] = {
    "args",     "desc",        "desc_batched",   "desc_packed",  "explain",      "kernel",
    "plan",     "plan_create", "plan_destroy",   "plan_explain", "plan_options", "plan_options_default",
    "plan_run", "plan_warmup", "plan_workspace", "shape_family", "warmup",       "workspace_query"};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_name_character(char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

std::string Workspace::relative(const fs::path &path) const {
  const fs::path relative = path.lexically_normal().lexically_relative(root);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return inside ? relative.generic_string() : path.generic_string();
}

Result<Workspace> find_workspace(const fs::path &requested, const fs::path &from_environment, const fs::path &start) {
  if (!requested.empty()) return workspace_at(requested, "--workspace");
  if (!from_environment.empty()) return workspace_at(from_environment, "PYC_WORKSPACE");
  if (start.empty()) {
    return fail(ErrorKind::kInvalid, "the current folder does not exist any more",
                "change into a PyC checkout, or name one with --workspace or PYC_WORKSPACE");
  }
  const fs::path first = absolute_path(start);
  for (fs::path folder = first;; folder = folder.parent_path()) {
    if (holds_registry(folder)) return Workspace{folder};
    if (folder == folder.parent_path()) break;
  }
  return fail(ErrorKind::kInvalid,
              fmt::format("no workspace in '{}' or above it: none of them has kernels/registry/kernels.json",
                          printable(first.string())),
              "change into a PyC checkout, or name one with --workspace or PYC_WORKSPACE");
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kNameLimit && is_lower(name.front()) &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

bool is_candidate_name(std::string_view name) {
  const bool is_reserved =
      std::find(std::begin(kReservedNames), std::end(kReservedNames), name) != std::end(kReservedNames);
  return is_name(name) && !is_reserved && !name.ends_with("_workspace");
}

Status check_candidate_name(std::string_view name) {
  if (is_candidate_name(name)) return {};
  if (is_name(name)) {
    return fail(ErrorKind::kInvalid,
                fmt::format("'{}' is not a candidate name: PyC needs pyc_gemm_{} itself", name, name),
                "choose another name");
  }
  return fail(ErrorKind::kInvalid, fmt::format("'{}' is not a candidate name", printable(name, 80)),
              fmt::format("use up to {} lower-case letters, digits and '_', with a letter first", kNameLimit));
}

std::vector<std::string> candidate_names(const Workspace &workspace) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(workspace.prototypes(), error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;  // a staged folder
    if (fs::exists(entry->path() / "kernel.json", ignored)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Status require_candidate(const Workspace &workspace, const std::string &name) {
  PYC_CHECK(check_candidate_name(name));
  std::error_code error;
  if (fs::exists(workspace.candidate(name) / "kernel.json", error)) return {};
  if (fs::is_directory(workspace.candidate(name), error)) {
    return fail(ErrorKind::kInvalid,
                fmt::format("'{}' has no kernel.json", workspace.relative(workspace.candidate(name))),
                "write one (docs/reference/kernel-json.md), or remove the folder and create the candidate anew");
  }
  const std::vector<std::string> names = candidate_names(workspace);
  std::string hint = nearest_name(name, names) ? suggest(name, names)
                     : names.empty()           ? "create one with: pyc hpc create gemm --name " + name
                                               : "see: pyc hpc list";
  return fail(ErrorKind::kInvalid,
              fmt::format("there is no candidate '{}' in {}", name, workspace.relative(workspace.prototypes())),
              std::move(hint));
}

}  // namespace pyc::workspace
