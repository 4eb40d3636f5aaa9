#include "hpc/tune_rounds.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/text.h"
#include "hpc/harness_run.h"
#include "hpc/machine.h"

namespace pyc::hpc {
namespace {

using evidence::HarnessRequest;
using evidence::HarnessTranscript;
using evidence::SetStatus;
using evidence::TunedArm;
using evidence::TunedShape;
using evidence::Tuning;
using evidence::TuningRound;
using evidence::TuningRun;

constexpr std::size_t kSetsInARun = 32;      // beside the baseline, in one process
constexpr std::size_t kSetsInASilence = 16;  // so many are timed within one --timeout
constexpr int kRoundWarmup = 1;              // warm-up goes on until the clock is level anyway
constexpr int kFinalWarmup = 10;
constexpr int kRoundVendorAlgorithms = 1;  // cuBLASLt's first choice: nobody looks at it before the final
constexpr int kFinalVendorAlgorithms = 8;

std::string arm_name(int set) { return fmt::format("set{}", set); }

// The set that an arm times: the baseline, or one of `sets`; no value for the vendor's and the null control.
std::optional<int> set_of_arm(const evidence::Arm &arm, const std::vector<int> &sets, int baseline) {
  if (arm.role == "candidate") return baseline;
  if (arm.role != "against") return std::nullopt;
  for (const int set : sets)
    if (arm.name == arm_name(set)) return set;
  return std::nullopt;
}

// The harness looks for a kernel's name in its own executable; that of a search has none. `bench` of the winner looks.
constexpr const char *kCheckOfExecutables = "launches";

// Why the arm's samples count for nothing; empty if they count.
std::string complaint(const evidence::Arm &arm) {
  if (arm.status != "ready") return arm.reason;
  for (const evidence::Check &check : arm.output_checks) {
    if (check.status == "failed" && check.check != kCheckOfExecutables)
      return fmt::format("{}: {}", check.check, check.reason);
  }
  return arm.cold_ns.empty() ? "it was not timed" : "";
}

void keep_vendor(const evidence::Arm &arm, TunedShape &shape) {
  if (arm.role != "cublaslt" || !complaint(arm).empty()) return;
  shape.cublaslt_ns = arm.cold_ns;
  shape.cublaslt_detail = arm.detail;
}

}  // namespace

Rounds::Rounds(const Context &context, Trials &trials, Tuning &tuning, std::chrono::milliseconds silence_limit,
               Save save, Tell tell)
    : context_(context),
      trials_(trials),
      tuning_(tuning),
      silence_limit_(silence_limit),
      save_(std::move(save)),
      tell_(std::move(tell)) {
  context_.progress = [](const Progress &) {};
}

Status Rounds::time(int number, const std::vector<int> &sets, const std::function<bool()> &has_time) {
  const int repeats = number == kFinalRound ? kFinalRepeats : repeats_of_round(number);
  TuningRound &round = round_of(tuning_, number, repeats);
  std::vector<int> missing;
  for (const int set : sets)
    if (set != tuning_.baseline && run_of(round, set) == nullptr) missing.push_back(set);
  const int total = static_cast<int>(missing.size());
  const std::string what =
      number == kFinalRound ? "timing the finalists afresh" : fmt::format("round {}: timing", number);
  for (std::size_t begin = 0; begin < missing.size(); begin += kSetsInARun) {
    if (!has_time()) return {};
    tell_(what, static_cast<int>(begin), total);
    const auto first = missing.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = missing.begin() + static_cast<std::ptrdiff_t>(std::min(missing.size(), begin + kSetsInARun));
    PYC_CHECK(time_run(round, {first, last}));
    PYC_CHECK(save_());
    if (set(tuning_.baseline).status != SetStatus::kValid) return {};
  }
  return {};
}

Result<HarnessRequest> Rounds::request_for(const TuningRound &round, const std::vector<int> &sets) {
  const bool is_final = round.number == kFinalRound;
  HarnessRequest request = trials_.request("bench");
  // Other inputs and another order in every run.
  request.seed += static_cast<std::uint64_t>(round.number) * 1000 + round.runs.size() + 1;
  for (const evidence::Shape &shape : shapes_of_round(tuning_.shapes, round.number))
    request.shapes.push_back({shape, true, false});
  request.warmup = is_final ? kFinalWarmup : kRoundWarmup;
  request.repeats = round.repeats;
  request.vendor_algorithms = is_final ? kFinalVendorAlgorithms : kRoundVendorAlgorithms;
  request.vendor_library_dirs = vendor_folders(trials_.bench().nvcc);
  for (const int number : sets) {
    PYC_TRY(const std::filesystem::path library, trials_.library(set(number)));
    request.contenders.push_back(
        {"against", arm_name(number), "", library.string(), trials_.symbol(), request.workspace, request.requirements});
  }
  return request;
}

// One process. Where it ends badly the sets are taken apart until the one to blame is alone.
Status Rounds::time_run(TuningRound &round, std::vector<int> sets) {
  std::erase_if(sets, [&](int number) { return set(number).status != SetStatus::kValid; });
  if (sets.empty() || set(tuning_.baseline).status != SetStatus::kValid) return {};
  PYC_TRY(const HarnessRequest request, request_for(round, sets));
  PYC_TRY(const HarnessProgram loader, trials_.program(set(tuning_.baseline)));
  HarnessTranscript transcript(request);
  // A shape says nothing until all of its arms are timed.
  const auto silence_limit = silence_limit_ * static_cast<int>(1 + sets.size() / kSetsInASilence);
  PYC_TRY(const HarnessRun run, run_harness(context_, loader, request, silence_limit, transcript, [] {}));
  if (run.failure) return blame(round, sets, *run.failure, transcript);
  if (transcript.gpu() && !tuning_.gpu) tuning_.gpu = trials_.gpu(*transcript.gpu());
  take(round, sets, request, transcript);
  return {};
}

// A process that crashes or hangs does not say whose fault it is.
Result<bool> Rounds::baseline_fails_alone(const TuningRound &round) {
  PYC_TRY(const HarnessRequest request, request_for(round, {}));
  PYC_TRY(const HarnessProgram loader, trials_.program(set(tuning_.baseline)));
  HarnessTranscript transcript(request);
  PYC_TRY(const HarnessRun run, run_harness(context_, loader, request, silence_limit_, transcript, [] {}));
  if (run.failure && run.failure->kind != ErrorKind::kNo) return tl::unexpected<Error>(*run.failure);
  return run.failure.has_value();
}

Result<std::vector<int>> Rounds::suspects(const TuningRound &round, const std::vector<int> &sets,
                                          const HarnessTranscript &transcript) {
  const std::string message = transcript.fatal() ? transcript.fatal()->message : "";
  if (message.find("(while arm 0, ") != message.npos) return std::vector<int>{tuning_.baseline};
  std::vector<int> named;
  for (const int number : sets)
    if (message.find(", " + arm_name(number) + ", ran)") != message.npos) named.push_back(number);
  if (!named.empty() || sets.size() > 1) return named;
  PYC_TRY(const bool alone, baseline_fails_alone(round));
  return std::vector<int>{alone ? tuning_.baseline : sets.front()};
}

Status Rounds::blame(TuningRound &round, const std::vector<int> &sets, const Error &error,
                     const HarnessTranscript &transcript) {
  if (error.kind != ErrorKind::kNo) return tl::unexpected<Error>(error);
  PYC_TRY(const std::vector<int> to_blame, suspects(round, sets, transcript));
  if (to_blame.empty()) {
    const auto middle = sets.begin() + static_cast<std::ptrdiff_t>(sets.size() / 2);
    PYC_CHECK(time_run(round, {sets.begin(), middle}));
    return time_run(round, {middle, sets.end()});
  }
  for (const int number : to_blame) {
    set(number).status = SetStatus::kWrong;
    set(number).reason = printable(error.message);
  }
  return time_run(round, sets);
}

void Rounds::take_arm(int number, const evidence::Arm &arm, TunedShape &shape) {
  if (const std::string why = complaint(arm); !why.empty()) {
    set(number).status = SetStatus::kWrong;
    set(number).reason = printable(fmt::format("timing {}: {}", to_string(shape.shape), why));
  } else if (number == tuning_.baseline) {
    shape.baseline_ns = arm.cold_ns;
  } else {
    shape.arms.push_back({number, arm.cold_ns});
  }
}

void Rounds::take(TuningRound &round, const std::vector<int> &sets, const HarnessRequest &request,
                  const HarnessTranscript &transcript) {
  TuningRun run;
  run.seed = request.seed;
  for (const evidence::ShapeBenchmark &timed : transcript.benchmarks()) {
    TunedShape &shape = run.shapes.emplace_back();
    shape.shape = timed.shape;
    for (const evidence::Arm &arm : timed.arms) {
      if (round.number == kFinalRound) keep_vendor(arm, shape);
      if (const auto number = set_of_arm(arm, sets, tuning_.baseline)) take_arm(*number, arm, shape);
    }
  }
  for (TunedShape &shape : run.shapes)
    std::erase_if(shape.arms, [&](const TunedArm &arm) { return set(arm.set).status != SetStatus::kValid; });
  round.runs.push_back(std::move(run));
}

}  // namespace pyc::hpc
