// What this library was built from and runs on.
#pragma once

#include "pyc/gemm.h"

namespace pyc::runtime {

pyc_build build_info();

}  // namespace pyc::runtime
