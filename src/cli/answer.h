// What a verb of the command line hands back: text for stdout, notes for stderr, and why the answer is not yes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/records.h"

namespace pyc::cli {

struct Answer {
  std::string text;                         // stdout, whole lines
  std::function<std::string()> json;        // the one document of --json, without a newline
  std::string notes;                        // stderr: tables and one-line summaries; not shown with --quiet
  std::vector<evidence::Warning> warnings;  // stderr
  std::optional<Error> failure;             // the verb did its work and the answer is not yes
};

}  // namespace pyc::cli
