// Who changes the registry or the files generated from it holds this lock from the first read to the last rename.
#pragma once

#include "base/files.h"
#include "hpc/context.h"

namespace pyc::hpc {

constexpr double kRegistryLockSeconds = 30;

// kernels/registry/.lock. Says that it waits, where it does; kInternal if another process still holds it after
// kRegistryLockSeconds.
Result<FileLock> lock_registry(const Context &context);

}  // namespace pyc::hpc
