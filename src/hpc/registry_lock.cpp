#include "hpc/registry_lock.h"

namespace pyc::hpc {

Result<FileLock> lock_registry(const workspace::Workspace &workspace) {
  return FileLock::acquire(workspace.registry().parent_path() / ".lock", kRegistryLockSeconds);
}

}  // namespace pyc::hpc
