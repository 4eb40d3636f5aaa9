// The reference of the command line as a page of docs/ and as manual pages, made from the tables of verbs, flags, exit
// codes and environment variables.
#pragma once

#include <string>
#include <vector>

namespace pyc::cli {

// docs/reference/command-line.md, whole.
std::string markdown_reference();

struct ManualPage {
  std::string file_name, text;  // "pyc-hpc-bench.1", troff with the man macros
};
// One for pyc, one for each verb.
std::vector<ManualPage> manual_pages();

}  // namespace pyc::cli
