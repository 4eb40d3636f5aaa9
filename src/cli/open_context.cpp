#include "cli/open_context.h"

#include "cli/version.h"

namespace pyc::cli {

Result<OpenedContext> open_context(const CommandLine &line, const Environment &environment,
                                   const std::vector<std::string> &argv, hpc::ProgressSink progress,
                                   hpc::NoteSink note) {
  OpenedContext opened;
  hpc::Context &context = opened.context;
  context.environment.path = environment.path;
  context.environment.cuda_home = environment.cuda_home;
  context.environment.cuda_visible_devices = environment.cuda_visible_devices;
  context.environment.cutlass_path = environment.cutlass_path;
  context.environment.nvcc_prepend_flags = environment.nvcc_prepend_flags;
  context.environment.nvcc_append_flags = environment.nvcc_append_flags;
  context.environment.nvcc_ccbin = environment.nvcc_ccbin;
  context.nvcc = line.values.text("--nvcc");
  context.tool = tool_version();
  context.command = argv;
  context.progress = std::move(progress);
  context.note = std::move(note);
  std::error_code no_folder;
  auto workspace = hpc::open_workspace(line.values.text("--workspace"), environment.workspace,
                                       std::filesystem::current_path(no_folder));
  if (workspace) {
    context.workspace = std::move(*workspace);
  } else if (line.verb->needs_workspace) {
    return tl::unexpected<Error>(workspace.error());
  } else {
    opened.workspace_error = workspace.error().message;
  }
  return opened;
}

}  // namespace pyc::cli
