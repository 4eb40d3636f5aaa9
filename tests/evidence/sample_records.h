// Whole records with something in every field, for tests that write and read them.
#pragma once

#include "evidence/records.h"

namespace pyc::evidence {

Gpu sample_gpu();
Validation sample_validation();
Benchmark sample_benchmark();
Profile sample_profile();

}  // namespace pyc::evidence
