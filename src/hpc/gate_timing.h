// What a benchmark's raw samples say about candidate, incumbent and null control. Every figure that the gate decides on
// is derived here, from samples, never from medians that a file states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/records.h"
#include "stats/distribution.h"
#include "workspace/registry.h"

namespace pyc::hpc {

using workspace::RatioInterval;

// One comparison over all shapes: baseline time / contender time, so that above 1 the contender is faster.
struct ArmComparison {
  RatioInterval overall;                // geometric mean of the shapes' median paired ratios
  std::vector<RatioInterval> by_shape;  // in the benchmark's order, 95 % each
  std::optional<double> clock_ratio;    // geometric mean of the arms' mean SM clocks; absent where one is unknown
};

struct GateTiming {
  std::optional<ArmComparison>
      incumbent;                         // incumbent / candidate; no value if one of them was not timed at every shape
  std::optional<ArmComparison> control;  // the null control: a kernel against itself
  std::string controlled;                // which kernel that is: "incumbent", "candidate"
  std::int64_t least_pairs = 0;          // cold samples of the candidate at the shape that has fewest
  std::int64_t repeats = 0;              // of all passes together, as --repeats counts them
  std::int64_t most_repeats = 0;         // that bench takes of these shapes and contenders
  int attempts = 1;
  double confidence = 0.95;           // of incumbent->overall
  std::optional<RatioInterval> next;  // the same comparison as another attempt would be judged
};

// A benchmark that could have looked at its verdict more than once is judged by a wider interval, whether it did or
// not. `incumbent`: the record that would be replaced, or null. Times of an older incumbent are not times of this one.
GateTiming derive_timing(const evidence::Benchmark &benchmark, const workspace::Record *incumbent, int attempts);

// The two heaps that an arm's cold samples form, a hundredth of their median and three ticks of the timer apart or
// more; no value if they form one.
std::optional<stats::Modes> heaps_of(const evidence::Arm &arm);

// What the medians hide: samples in two heaps, outliers, and low clocks, of the arms that are compared.
std::vector<std::string> sample_remarks(const evidence::Benchmark &benchmark);

// Whether two arms took turns: each sample has a place of its own behind the one before, and the i-th samples of both
// were taken within one block, or within its mirror image, in which each arm has one turn.
bool are_interleaved(const evidence::ShapeBenchmark &shape, const evidence::Arm &a, const evidence::Arm &b);

// Medians and ratios of every shape, for the registry.
std::vector<workspace::ShapeEvidence> shape_evidence(const evidence::Benchmark &benchmark, const GateTiming &timing);

}  // namespace pyc::hpc
