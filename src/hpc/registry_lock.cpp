#include "hpc/registry_lock.h"

#include <fmt/format.h>

namespace pyc::hpc {

Result<FileLock> lock_registry(const Context &context) {
  const std::filesystem::path lock = context.workspace.registry().parent_path() / ".lock";
  return FileLock::acquire(lock, kRegistryLockSeconds, [&] {
    context.note(fmt::format("waiting up to {:.0f} s for another promote or sync, which holds '{}'",
                             kRegistryLockSeconds, context.workspace.relative(lock)));
    context.progress({"waiting for the registry's lock", 0, 0});
  });
}

}  // namespace pyc::hpc
