#include "lab/task_lock.h"

namespace pyc::lab {
namespace {

constexpr double kLockWaitSeconds = 10;  // writing takes milliseconds

}  // namespace

Result<FileLock> lock_tasks(const Context &context) {
  PYC_CHECK(make_folder(context.paths.tasks));
  return FileLock::acquire(context.paths.tasks / ".lock", kLockWaitSeconds);
}

}  // namespace pyc::lab
