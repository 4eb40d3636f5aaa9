// Two benchmarks, or two profiles, side by side, as files: what differs, and what may be said of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/records.h"
#include "stats/statistics.h"

namespace pyc::hpc {

// One fact that the two runs do not share. A missing figure reads "unknown".
struct Difference {
  std::string what, left, right;  // "driver", "580.65.06", "575.51"
};

struct ComparedShape {
  evidence::Shape shape;
  std::optional<double> left_ns, right_ns;  // the candidates' cold medians
  std::optional<stats::Interval> ratio;     // left / right: above 1 the right one is faster; absent below kLeastPairs
  std::string verdict;                      // faster, slower, same, ambiguous, noisy; or not_comparable
};

// The right candidate as seen from the left one. The runs are not paired: the interval holds the noise within them, and
// not what a clock, a driver or another process changed between them. `bench --against` measures in one run.
struct BenchmarkComparison {
  std::string left_name, right_name;
  std::vector<ComparedShape> shapes;     // those that both have, in the left one's order
  std::vector<std::string> left_out;     // "64x64x64: only in the left one", "...: failed in the right one"
  std::optional<stats::Interval> ratio;  // geometric mean over the shapes
  std::string verdict;                   // as of a shape, over all of them
  std::vector<std::string> reasons;      // why it is not comparable, noisy, or slower
  std::vector<Difference> differences;
  bool slower() const { return verdict == "slower"; }
};

// The verdict is `slower` if the mean is, or if a single shape is by more than kDefaultMaxRegression with its whole
// interval. Runs on different GPUs, or of different dtypes or layouts, are not comparable: they are never called
// faster, and slower only where the whole interval says so.
BenchmarkComparison compare_benchmarks(const evidence::Benchmark &left, const evidence::Benchmark &right);

// One figure of a profile's summary; a figure that was not measured is absent.
struct ComparedFigure {
  std::string name, unit;  // "time", "us"
  std::optional<double> left, right;
};

struct ComparedKernel {
  std::string left, right;  // kernels' names; empty where that side launched fewer
  std::vector<ComparedFigure> figures;
  std::string left_limiters, right_limiters;  // of occupancy
  std::string left_stalls, right_stalls;      // the longest first
};

// A profile is one launch under a profiler: its figures explain, and carry no interval, so nothing is called faster or
// slower on their account.
struct ProfileComparison {
  std::string left_name, right_name;
  evidence::Shape left_shape, right_shape;
  std::vector<ComparedKernel> kernels;  // in the order of their launches
  std::vector<std::string> remarks;     // what makes the figures of the two less than comparable
  std::vector<Difference> differences;
};

ProfileComparison compare_profiles(const evidence::Profile &left, const evidence::Profile &right);

std::vector<Difference> find_differences(const evidence::Benchmark &left, const evidence::Benchmark &right);
std::vector<Difference> find_differences(const evidence::Profile &left, const evidence::Profile &right);

// Why the speed of two runs cannot be compared: other GPUs, or other problems. Empty if it can.
std::vector<std::string> why_not_comparable(const evidence::Header &left, const evidence::Header &right);

}  // namespace pyc::hpc
