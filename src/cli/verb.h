// The verbs of the command line, one row each in one table, one source file each.
#pragma once

#include <span>
#include <string>
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

Result<Answer> run_doctor(const Invocation &invocation);
Result<Answer> run_create(const Invocation &invocation);
Result<Answer> run_list(const Invocation &invocation);
Result<Answer> run_show(const Invocation &invocation);
Result<Answer> run_validate(const Invocation &invocation);
Result<Answer> run_bench(const Invocation &invocation);
Result<Answer> run_profile(const Invocation &invocation);
Result<Answer> run_compare(const Invocation &invocation);
Result<Answer> run_promote(const Invocation &invocation);
Result<Answer> run_sync(const Invocation &invocation);

}  // namespace pyc::cli
