// A file of its own for one result or record.
#pragma once

#include <filesystem>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace pyc::lab {

// FOLDER/LABEL-20260131T123456789Z.json, a name that no file has; the folder is made if it is missing, and the name is
// taken, so that two processes never write the same file. Of the label, what cannot stand in a file name becomes '_'.
Result<std::filesystem::path> reserve_record(const std::filesystem::path &folder, const std::string &label,
                                             TimePoint now);

// kInvalid unless the label has a letter or digit.
Status check_label(const std::string &label);

}  // namespace pyc::lab
