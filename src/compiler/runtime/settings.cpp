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

constexpr Variable kVariables[] = {
    {"PYC_PROMOTED_GEMM_SYMBOL", "the symbol of a kernel that is compiled in",
     "serve every call with this kernel, and fail those that it cannot serve", parse_forced_symbol},
    {"PYC_DISABLE_RUNGS", "rungs separated by commas: promoted, cublaslt, cublas, cpu",
     "take these rungs out of the chain", parse_disabled_rungs},
    {"PYC_VERBOSE", "dispatch", "print the explanation of each new plan to stderr", parse_verbose},
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
