// What a device could do at most: the two roofs that every figure of speed is held against.
#pragma once

#include <optional>
#include <string>

#include "evidence/records.h"

namespace pyc::hpc {

struct Roofline {
  double flops_per_second = 0;  // fp32: multiply-adds of all lanes; fp16 and bf16: of the dense tensor cores
  double bytes_per_second = 0;  // of device memory, reads and writes together
};

// At the device's highest clocks. No value if the dtype or one of the device's figures is unknown.
std::optional<Roofline> roofline(const std::string &dtype, const evidence::Gpu &gpu);

// A and B read once and C written once; no value for an unknown dtype.
std::optional<double> moved_bytes(const evidence::Shape &shape, const std::string &dtype);

}  // namespace pyc::hpc
