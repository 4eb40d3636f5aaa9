// `pyc lab task-list`: every task, also one that cannot be read.
#include "lab/verbs.h"

namespace pyc::lab {

Result<std::vector<TaskRow>> task_list(const Context &context) {
  std::vector<TaskRow> rows;
  PYC_TRY(const std::vector<std::string> files, workspace::lab_task_files(context.paths.tasks));
  for (const std::string &slug : files) {
    auto task = workspace::read_lab_task(context.paths.tasks, slug);
    if (task) {
      rows.push_back({slug, std::move(*task), {}});
    } else {
      rows.push_back({slug, std::nullopt, task.error().message});
    }
  }
  return rows;
}

}  // namespace pyc::lab
