// `pyc lab task-hardware`: the machine as a task records it.
#include "lab/hardware.h"
#include "lab/verbs.h"

namespace pyc::lab {

workspace::LabHardware task_hardware(const Context &context) { return examine_hardware(context); }

}  // namespace pyc::lab
