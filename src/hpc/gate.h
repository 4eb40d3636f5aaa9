// The gate: one pure function from evidence, registry and sources to a verdict of seven lines (docs/promotion.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/records.h"
#include "workspace/candidate.h"
#include "workspace/registry.h"

namespace pyc::hpc {

constexpr double kRequiredRatio = 1.02;         // lower end of the interval of incumbent/candidate
constexpr double kDefaultMaxRegression = 0.05;  // of any single shape's median
constexpr double kRoofTolerance = 0.95;         // of the physical floor; a faster median is refused as impossible
constexpr int kLeastPairs = 20;                 // cold samples per arm and shape; fewer carry no interval

struct GateInput {
  const evidence::Validation *validation = nullptr;
  const evidence::Benchmark *benchmark = nullptr;
  const workspace::Candidate *candidate = nullptr;  // as it is on disk now
  const workspace::Registry *registry = nullptr;
  bool bootstrap = false;
  double max_regression = kDefaultMaxRegression;
  int attempts = 1;  // benchmarks of this digest against this incumbent, this one included (hpc/attempts.h)
  std::vector<std::string> failed_validations = {};  // of this digest, wherever they ended (hpc/failed_validations.h)
  std::string harness_sha256 = {};                   // of kernels/harness as it is on disk now
};

enum class GateVerdict { kPromote, kRefused, kAmbiguous, kNoisy };
std::string to_string(GateVerdict verdict);

struct GateLine {
  int number = 0;     // 1 to 7, as in docs/promotion.md
  std::string title;  // "validation"
  bool passed = false;
  std::string figure;  // what was seen: "5 of 5 shapes passed on NVIDIA H200"
  std::string reason;  // why it was refused and what to do; empty if passed
};

struct GateReport {
  GateVerdict verdict = GateVerdict::kRefused;
  // The evidence is no evidence of this question, whatever it says: another candidate, digest, selector or arch, or
  // only planned. The wrong file was given, rather than the candidate found wanting.
  bool unfit_evidence = false;
  std::vector<GateLine> lines;                    // always seven
  std::optional<workspace::RatioInterval> ratio;  // geometric mean, incumbent / candidate
  std::vector<workspace::ShapeEvidence> shapes;
  std::optional<std::int64_t> repeats_to_decide;  // for an ambiguous verdict
  int attempts = 1;
  double confidence = 0.95;          // of the interval on line 5: the more attempts, the more is asked
  std::vector<std::string> remarks;  // what decides nothing, but is worth a look: outliers, other bits at a repeat
};

GateReport judge(const GateInput &input);

}  // namespace pyc::hpc
