// Sequential extension of a benchmark: while line 5 of the gate is open, the whole run is repeated and its samples are
// added, up to a limit that was fixed before the first one was taken. docs/measurement.md says how the error rate is
// kept.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "evidence/records.h"
#include "stats/statistics.h"

namespace pyc::hpc {

constexpr int kSamplesPerRepeat = 4;  // of kernels so short that the harness takes more than --repeats says
constexpr int kBytesPerSample = 64;   // of evidence, at most: time, place and clock, and a fifth of a warm sample

// How many --repeats of all passes together leave evidence that can be read again, however short the kernels are.
int most_repeats(std::size_t shapes, std::size_t arms);

// Fixed before the first sample.
struct ExtensionLimits {
  int repeats = 0, max_repeats = 0;      // of the first pass, and of all together
  std::chrono::nanoseconds max_time{0};  // no pass begins that would end later
};

// What is known after a pass.
struct ExtensionState {
  int passes = 1;
  std::chrono::nanoseconds spent{0};
  bool sound = true;                     // every shape was timed and every check passed
  std::optional<stats::Interval> ratio;  // incumbent / candidate over all shapes, as the gate will judge it
};

// Samples that another pass has to add; 0: enough, because the verdict is decided, because it cannot be, or because a
// limit is reached. Passes double the samples, so that they end at the looks of stats::looks_within.
int samples_to_add(const ExtensionLimits &limits, const ExtensionState &state);

// The time of all shapes.
std::chrono::nanoseconds time_spent(const std::vector<evidence::ShapeBenchmark> &shapes);

// The samples of `pass` behind those of `before`, shape by shape and arm by arm: partners stay partners, and places in
// the sequence go on. A shape that `pass` did not end stays as it was. An arm that was not timed in both is unavailable
// in both, and so is a candidate that launched other kernels. Both come from requests for the same shapes and
// contenders.
std::vector<evidence::ShapeBenchmark> extended(std::vector<evidence::ShapeBenchmark> before,
                                               const std::vector<evidence::ShapeBenchmark> &pass);

}  // namespace pyc::hpc
