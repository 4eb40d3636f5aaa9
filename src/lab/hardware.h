// The machine as tasks and results record it.
#pragma once

#include "lab/context.h"
#include "workspace/lab_task.h"

namespace pyc::lab {

constexpr const char *kBackend = "cuda";  // the only one that the lab's commands are written for

// Backend and arch are those of CUDA's first GPU; without a GPU the arch is generic.
workspace::LabHardware examine_hardware(const Context &context);

}  // namespace pyc::lab
