#include "cli/paths.h"

namespace pyc::cli {

std::string printed_path(const hpc::Context &context, const std::filesystem::path &path) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path root = std::filesystem::weakly_canonical(context.workspace.root, error);
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, error);
  if (error) return path.string();
  const std::filesystem::path below = here.lexically_relative(root);
  const bool inside = !below.empty() && *below.begin() != "..";
  return inside ? whole.lexically_relative(here).string() : whole.string();
}

}  // namespace pyc::cli
