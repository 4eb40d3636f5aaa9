// compute-sanitizer: where it is.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "toolchain/nvcc.h"

namespace pyc::toolchain {

// In PATH, else in the toolkit. kUnavailable if it is in neither.
Result<std::filesystem::path> find_sanitizer(const Nvcc &nvcc, const Environment &environment);

}  // namespace pyc::toolchain
