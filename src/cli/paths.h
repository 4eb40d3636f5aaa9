// How a path of the workspace is printed.
#pragma once

#include <filesystem>
#include <string>

#include "hpc/context.h"

namespace pyc::cli {

// Relative to the current folder if that lies inside the workspace, else absolute: either way it can be opened from
// where it was printed.
std::string printed_path(const hpc::Context &context, const std::filesystem::path &path);

}  // namespace pyc::cli
