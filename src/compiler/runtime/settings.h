// The environment variables of the runtime, read once when a context is created.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>

#include "pyc/gemm.h"

namespace pyc::runtime {

struct Settings {
  std::string forced_symbol;                    // empty: none
  std::array<bool, PYC_RUNG_COUNT> disabled{};  // by pyc_rung
  bool verbose_dispatch = false;                // print an explanation to stderr for each new plan
  bool measure_algorithms = false;              // time cuBLASLt's algorithms once for each new plan
  std::string cuda_library_folder;              // where cuBLAS and cuBLASLt are; empty: wherever they are found
  std::string cblas;                            // the CPU library to open; empty: one of the known; "none": none
};

struct Variable {
  const char *name, *accepted, *meaning;
  bool (*parse)(const std::string &value, Settings *settings);
};

// Every variable that the runtime reads.
std::span<const Variable> environment_variables();

// Reads them through `get` (std::getenv, or a test's own). An unset or empty variable keeps the default; a value that
// is not accepted is INVALID_VALUE with a detail that names the variable, the value and what is accepted.
pyc_status read_settings(const std::function<const char *(const char *)> &get, Settings *settings);

}  // namespace pyc::runtime
