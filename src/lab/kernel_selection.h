// Which kernels of a manifest tags and names choose.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "workspace/lab_manifest.h"

namespace pyc::lab {

// Kernels with one of the tags and with one of the names, in the manifest's order; an empty list asks for nothing.
// kInvalid for a name or tag that no kernel has, and if nothing is left.
Result<std::vector<workspace::LabKernel>> select_kernels(const workspace::LabManifest &manifest,
                                                         const std::vector<std::string> &tags,
                                                         const std::vector<std::string> &names);

}  // namespace pyc::lab
