// What a benchmark says at each shape, derived from its raw samples; for tables and warnings, not for the gate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/records.h"

namespace pyc::hpc {

struct SpeedRatio {
  double estimate = 0, low = 0, high = 0;  // above 1: the candidate is faster
};

struct BenchRow {
  evidence::Shape shape;
  std::string status;
  std::optional<double> median_ns;      // the candidate's, cold
  std::optional<double> tflops;         // 2 m n k / median
  std::optional<double> bytes;          // A and B read once, C written once
  std::optional<double> peak_fraction;  // of the device's arithmetic peak for the dtype (roofline.h)
  std::optional<double> bandwidth_fraction;
  std::optional<SpeedRatio> incumbent;   // paired, with its 95 % interval
  std::optional<SpeedRatio> control;     // the incumbent, or else the candidate, against itself
  std::optional<double> noise_floor;     // how far the control's interval reaches from 1
  std::string verdict;                   // on this shape alone (stats/verdict.h); empty without an incumbent
  std::vector<std::string> reasons;      // for it: "above_bar"
  std::optional<double> cublaslt_ratio;  // of medians, against the fastest measured algorithm
};

// The dtype in the candidate's selector, gemm/<dtype>/<layout>/<family>; empty for no such selector.
std::string dtype_of(const evidence::Benchmark &benchmark);

std::vector<BenchRow> summarize(const evidence::Benchmark &benchmark);

// Advice on a finished run: too few repeats for short kernels, low clocks, contenders that could not be timed.
std::vector<evidence::Warning> bench_warnings(const evidence::Benchmark &benchmark);

}  // namespace pyc::hpc
