// `pyc lab task-show`: one task.
#include "lab/verbs.h"

namespace pyc::lab {

Result<workspace::LabTask> task_show(const Context &context, const std::string &name) {
  return workspace::read_lab_task(context.paths.tasks, name);
}

}  // namespace pyc::lab
