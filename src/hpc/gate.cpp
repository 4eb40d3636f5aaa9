#include "hpc/gate.h"

#include <algorithm>

#include "hpc/gate_lines.h"

namespace pyc::hpc {
namespace {

constexpr std::size_t kEvidenceLines = 4;  // lines 1 to 4 decide whether the samples may be listened to
constexpr std::size_t kSpeed = 4, kNoise = 6;
constexpr const char *kNotDeterministic =
    "not deterministic: repeats of a call gave other bits, and callers who ask for repeatable ones will not get it";

bool is_passed(const GateLine &line) { return line.passed; }

bool only_speed_is_open(const GateReport &report) {
  for (std::size_t i = 0; i < report.lines.size(); ++i)
    if (report.lines[i].passed == (i == kSpeed)) return false;
  return true;
}

GateVerdict verdict_of(const GateReport &report, const GateTiming &timing) {
  const auto lines = report.lines.begin();
  if (std::all_of(lines, report.lines.end(), is_passed)) return GateVerdict::kPromote;
  if (!std::all_of(lines, lines + kEvidenceLines, is_passed)) return GateVerdict::kRefused;
  if (timing.control && !report.lines[kNoise].passed) return GateVerdict::kNoisy;
  const bool too_close = timing.incumbent && is_ambiguous(timing.incumbent->overall);
  return too_close && only_speed_is_open(report) ? GateVerdict::kAmbiguous : GateVerdict::kRefused;
}

}  // namespace

std::string to_string(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kPromote: return "promote";
    case GateVerdict::kRefused: return "refused";
    case GateVerdict::kAmbiguous: return "ambiguous";
    case GateVerdict::kNoisy: return "noisy";
  }
  return "unknown";
}

GateReport judge(const GateInput &input) {
  const evidence::CandidateRef &ref = input.candidate->ref;
  const workspace::Entry *incumbent = input.registry->find(ref.selector, ref.arch);
  const GateTiming timing =
      derive_timing(*input.benchmark, incumbent ? &incumbent->record : nullptr, incumbent ? input.attempts : 1);
  GateReport report;
  report.lines = {judge_validation(input),   judge_benchmark(input),     judge_sources(input),
                  judge_incumbent(input),    judge_speed(input, timing), judge_regression(input, timing),
                  judge_noise(input, timing)};
  report.unfit_evidence = !unfit_reason(input.validation->header, *input.candidate).empty() ||
                          !unfit_reason(input.benchmark->header, *input.candidate).empty();
  if (timing.incumbent) report.ratio = timing.incumbent->overall;
  report.shapes = shape_evidence(*input.benchmark, timing);
  report.repeats_to_decide = repeats_to_decide(timing);
  report.attempts = timing.attempts;
  report.confidence = timing.confidence;
  report.remarks = sample_remarks(*input.benchmark);
  if (!input.validation->deterministic().value_or(true)) report.remarks.push_back(kNotDeterministic);
  report.verdict = verdict_of(report, timing);
  return report;
}

}  // namespace pyc::hpc
