// What a kernel's object may need and may define: the check `symbols`. A kernel enqueues launches on the stream that it
// is given, and needs little for that; whatever makes streams, threads or graphs, changes settings that all kernels
// share, opens libraries or files, or calls a vendor's kernels, is not on the list. Neither may it define what the
// harness or the runtime call.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyc::workspace {

// Symbols of `nm -P -g` output that a kernel with this entry point may not have, in the order of the text: "calls
// cudaStreamCreate", "defines cudaEventElapsedTime".
std::vector<std::string> refused_symbols(std::string_view nm_output, const std::string &entry_point);

// Runs nm on an object. kNo, with the refused symbols, if there are any; kUnavailable if there is no nm.
Status check_symbols(const std::filesystem::path &object, const std::string &subject, const std::string &entry_point);

}  // namespace pyc::workspace
