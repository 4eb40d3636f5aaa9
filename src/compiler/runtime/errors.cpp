#include "compiler/runtime/errors.h"

#include <cstdarg>
#include <cstdio>

namespace pyc::runtime {
namespace {
thread_local char detail[1024];
}

pyc_status fail(pyc_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(detail, sizeof detail, format, arguments);
  va_end(arguments);
  return status;
}

const char *last_error_detail() { return detail; }

}  // namespace pyc::runtime
