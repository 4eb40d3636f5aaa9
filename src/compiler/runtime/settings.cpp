#include "compiler/runtime/settings.h"

#include <string_view>

#include "compiler/runtime/errors.h"
#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

bool parse_forced_symbol(const std::string &value, Settings *settings) {
  settings->forced_symbol = value;
  return true;
}

bool parse_disabled_rungs(const std::string &value, Settings *settings) {
  for (std::string_view rest = value;;) {
    const size_t comma = rest.find(',');
    const int32_t rung = rung_from_name(rest.substr(0, comma));
    if (rung < 0) return false;
    settings->disabled[size_t(rung)] = true;
    if (comma == std::string_view::npos) return true;
    rest.remove_prefix(comma + 1);
  }
}

bool parse_verbose(const std::string &value, Settings *settings) {
  settings->verbose_dispatch = value == "dispatch";
  return settings->verbose_dispatch;
}

bool parse_measure(const std::string &value, Settings *settings) {
  settings->measure_algorithms = value == "on";
  return value == "on" || value == "off";
}

bool parse_cuda_library_folder(const std::string &value, Settings *settings) {
  settings->cuda_library_folder = value;
  return value.starts_with('/');
}

bool parse_cblas(const std::string &value, Settings *settings) {
  settings->cblas = value;
  return true;
}

constexpr Variable kVariables[] = {
    {"PYC_PROMOTED_GEMM_SYMBOL", "the symbol of a kernel that is compiled in",
     "serve every call with this kernel, and fail those that it cannot serve", parse_forced_symbol},
    {"PYC_DISABLE_RUNGS", "rungs separated by commas: promoted, cutlass, cublaslt, cublas, cpu",
     "take these rungs out of the chain", parse_disabled_rungs},
    {"PYC_VERBOSE", "dispatch", "print the explanation of each new plan to stderr", parse_verbose},
    {"PYC_CUBLASLT_MEASURE", "on or off",
     "time the algorithms that cuBLASLt proposes on scratch memory, once for each new plan, and take the fastest",
     parse_measure},
    {"PYC_CUDA_LIBRARY_DIR", "an absolute path", "open cuBLASLt and cuBLAS from this folder and no other",
     parse_cuda_library_folder},
    {"PYC_CBLAS", "the name or path of a shared library, or none",
     "compute on the CPU with this CBLAS, or with the library's own loops", parse_cblas},
};

}  // namespace

std::span<const Variable> environment_variables() { return kVariables; }

pyc_status read_settings(const std::function<const char *(const char *)> &get, Settings *settings) {
  for (const Variable &variable : kVariables) {
    const char *value = get(variable.name);
    if (value == nullptr || *value == '\0') continue;
    if (!variable.parse(value, settings)) {
      return fail(PYC_STATUS_INVALID_VALUE, "%s is \"%s\": expected %s", variable.name, value, variable.accepted);
    }
  }
  return PYC_STATUS_SUCCESS;
}

}  // namespace pyc::runtime
