// The steps of a task: command lines of this tool that time baseline, control kernel and candidates.
#pragma once

#include <string>
#include <vector>

#include "lab/verbs.h"

namespace pyc::lab {

// In order: the baseline, the control kernel if there is one, the candidates if any are named; of each the compile
// phase once and the run phase with the task's repeats, as far as the kernel has such commands.
std::vector<std::string> plan_steps(const workspace::LabTask &task, const workspace::LabManifest &manifest,
                                    const std::vector<std::string> &pass_on);

}  // namespace pyc::lab
