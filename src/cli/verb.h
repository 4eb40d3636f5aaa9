// The verbs of the command line, one row each in one table, one source file each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/answer.h"
#include "cli/flags.h"
#include "cli/style.h"
#include "hpc/context.h"

namespace pyc::cli {

struct Invocation {
  const Values &values;
  const hpc::Context &context;
  std::string workspace_error;  // why there is no workspace; only a verb that runs without one sees it
  Style style;                  // of stderr
  Style answer_style;           // of stdout
};

struct Verb {
  const char *group, *name;  // "hpc", "create gemm"
  const char *summary;       // one line
  const char *example;       // a whole command line
  std::span<const Flag> flags;
  bool needs_workspace;
  Result<Answer> (*run)(const Invocation &);
};

std::span<const Verb> verbs();
// Flags of every verb of a group, which may also stand before the verb; none for most groups.
std::span<const Flag> group_flags(std::string_view group);

Result<Answer> run_doctor(const Invocation &invocation);
Result<Answer> run_create(const Invocation &invocation);
Result<Answer> run_tune(const Invocation &invocation);
Result<Answer> run_list(const Invocation &invocation);
Result<Answer> run_show(const Invocation &invocation);
Result<Answer> run_validate(const Invocation &invocation);
Result<Answer> run_bench(const Invocation &invocation);
Result<Answer> run_profile(const Invocation &invocation);
Result<Answer> run_compare(const Invocation &invocation);
Result<Answer> run_promote(const Invocation &invocation);
Result<Answer> run_import_legacy(const Invocation &invocation);
Result<Answer> run_sync(const Invocation &invocation);
Result<Answer> run_completions_bash(const Invocation &invocation);
Result<Answer> run_completions_zsh(const Invocation &invocation);
Result<Answer> run_completions_fish(const Invocation &invocation);
Result<Answer> run_reference_man(const Invocation &invocation);
Result<Answer> run_reference_markdown(const Invocation &invocation);
Result<Answer> run_lab_doctor(const Invocation &invocation);
Result<Answer> run_lab_list(const Invocation &invocation);
Result<Answer> run_lab_show(const Invocation &invocation);
Result<Answer> run_lab_compile(const Invocation &invocation);
Result<Answer> run_lab_run(const Invocation &invocation);
Result<Answer> run_lab_bench(const Invocation &invocation);
Result<Answer> run_lab_bench_suite(const Invocation &invocation);
Result<Answer> run_lab_bench_cmd(const Invocation &invocation);
Result<Answer> run_lab_compare(const Invocation &invocation);
Result<Answer> run_lab_task_hardware(const Invocation &invocation);
Result<Answer> run_lab_task_create(const Invocation &invocation);
Result<Answer> run_lab_task_list(const Invocation &invocation);
Result<Answer> run_lab_task_show(const Invocation &invocation);
Result<Answer> run_lab_task_run(const Invocation &invocation);
Result<Answer> run_lab_task_complete(const Invocation &invocation);

}  // namespace pyc::cli
