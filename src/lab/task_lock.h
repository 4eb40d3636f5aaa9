// One writer of tasks and baselines at a time.
#pragma once

#include "base/files.h"
#include "lab/context.h"

namespace pyc::lab {

// Of TASK_DIR/.lock; the folder is made if it is missing.
Result<FileLock> lock_tasks(const Context &context);

}  // namespace pyc::lab
