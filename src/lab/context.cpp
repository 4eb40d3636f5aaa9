#include "lab/context.h"

namespace pyc::lab {

Paths default_paths(const workspace::Workspace &workspace) {
  const std::filesystem::path lab = workspace.root / "kernels/lab";
  return {lab / "manifests/kernels.json",
          lab / "manifests/task_baselines.json",
          lab / "tasks",
          lab / "tasks/runs",
          lab / "build",
          lab / "results"};
}

}  // namespace pyc::lab
