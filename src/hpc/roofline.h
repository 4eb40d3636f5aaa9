// What a device could do at most: the two roofs that every figure of speed is held against.
#pragma once

#include <optional>
#include <string>

#include "evidence/records.h"

namespace pyc::hpc {

struct Roofline {
  double flops_per_second = 0;  // multiply-adds of all lanes for fp32, else of the dense tensor cores
  double bytes_per_second = 0;  // of device memory, reads and writes together
};

// Where the products of a kernel are made. fp32 may be split into 16-bit planes, several products for each of its own.
enum class Units { kOfDtype, kTensorCores };

// At the device's highest clocks. With kTensorCores fp32 has the roof of the 16-bit types, the device's largest: no
// splitting beats one product for one. No value if the dtype or one of the device's figures is unknown.
std::optional<Roofline> roofline(const std::string &dtype, const evidence::Gpu &gpu, Units units = Units::kOfDtype);

// The least time in ns that a device can take for this problem with cold caches: max(flops / peak, bytes / bandwidth).
// Inputs are read once; of C, written once, only what does not fit into the L2 cache has to reach memory. No value if
// the device's figures or the dtype are unknown.
std::optional<double> physical_floor_ns(const evidence::Shape &shape, const std::string &dtype,
                                        const evidence::Gpu &gpu, Units units = Units::kOfDtype);

// A and B read once and C written once; no value for an unknown dtype.
std::optional<double> moved_bytes(const evidence::Shape &shape, const std::string &dtype);

}  // namespace pyc::hpc
