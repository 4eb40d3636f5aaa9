// Who changes the registry or the files generated from it holds this lock from the first read to the last rename.
#pragma once

#include "base/files.h"
#include "workspace/workspace.h"

namespace pyc::hpc {

constexpr double kRegistryLockSeconds = 30;

// kernels/registry/.lock. kNo if another process still holds it after kRegistryLockSeconds.
Result<FileLock> lock_registry(const workspace::Workspace &workspace);

}  // namespace pyc::hpc
