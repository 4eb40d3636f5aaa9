// Which pyc this is.
#pragma once

#include <string>

#include "evidence/records.h"

namespace pyc::cli {

evidence::Tool tool_version();  // version and git description of the checkout that it was built from, or "unknown"
std::string version_line();     // "pyc 0.1.0 (1a2b3c4)\n"

}  // namespace pyc::cli
