#include "hpc/context.h"

namespace pyc::hpc {

Result<workspace::Workspace> open_workspace(const std::filesystem::path &requested,
                                            const std::filesystem::path &from_environment,
                                            const std::filesystem::path &start) {
  return workspace::find_workspace(requested, from_environment, start);
}

}  // namespace pyc::hpc
