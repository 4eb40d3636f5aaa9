// Nsight Compute's command line: where it is, what is asked of it, and how its CSV reads.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "toolchain/nvcc.h"

namespace pyc::toolchain {

// In PATH, else in the toolkit. kUnavailable if it is in neither.
Result<std::filesystem::path> find_ncu(const Nvcc &nvcc, const Environment &environment);

// The arguments of the default profile, in front of the program's own: sections that every arch of the table has, with
// a few metrics beside them, printed raw. Clocks are left as they are.
std::vector<std::string> ncu_arguments();

struct NcuMetric {
  std::string name, unit, text;  // text: the cell, where it is no number
  std::optional<double> value;   // absent where it is no number, or one that can be read in two ways
};

struct NcuLaunch {
  std::string kernel;
  std::vector<NcuMetric> metrics;  // cells that are not empty, in the order of the columns
};

// One entry per profiled launch. Reads by the names in the head: the order of columns, columns of another version, the
// program's own lines, banners (==PROF==) and a row of units do not matter. The decimal sign is found out from all
// numbers together: "1.234,5" anywhere makes "1,234" a small number; where nothing tells, such a cell has no value.
// kInvalid if there is no head with "ID" and "Kernel Name", a row has more or fewer fields than the head, a quote is
// left open, or numbers contradict each other.
Result<std::vector<NcuLaunch>> parse_ncu_csv(std::string_view output);

// What ncu says where no kernel was launched, or none that it was told to look at.
bool says_nothing_was_profiled(std::string_view output);

// ERR_NVGPUCTRPERM in what it printed.
bool lacks_permission(std::string_view output);

}  // namespace pyc::toolchain
