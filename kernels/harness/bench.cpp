#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "arms.h"
#include "fatal.h"
#include "order.h"
#include "sampler.h"
#include "stopwatch.h"

namespace pyc::harness {
namespace {

constexpr int kOverheadSamples = 31;
constexpr int64_t kMaxWarmupNs = 2'000'000'000;
constexpr size_t kLevelWindow = 5;   // rounds whose mean clocks are compared
constexpr double kLevel = 0.01;      // relative difference under which the clock is level
constexpr double kShortNs = 20'000;  // kernels shorter than this are noisier, and cheap to repeat
constexpr int64_t kShortFactor = 4;  // so they get this many times the samples
constexpr int64_t kColdPerWarm = 5;  // one warm sample for so many cold ones

// What the calls of an arm that cannot be timed have done beside their work: often the cause.
std::string changes_text(const CallAudit &audit) {
  std::string text;
  if (!audit.threads.empty()) text += "; threads: a call " + audit.threads;
  if (!audit.settings.empty()) text += "; device_state: a call " + audit.settings;
  return text;
}

// One shape: all its arms, timed in one sequence.
class ShapeBench {
 public:
  ShapeBench(Session &session, int index, const Shape &shape, Clock &clock, double &highest_clock_mhz,
             const std::vector<Entrant> &entrants)
      : session_(session),
        index_(index),
        clock_(clock),
        sampler_(session, shape, clock, highest_clock_mhz),
        arms_(make_arms(entrants)) {}

  // Returns whether the candidate was timed and all its checks passed.
  bool run() {
    const double overhead_ns = clock_.calibrate(kOverheadSamples);
    for (Arm &arm : arms_) prepare(arm);
    for (const Arm &arm : arms_) report_arm(session_.events, index_, arm);
    if (!arms_[0].reason.empty()) return false;
    session_.events.send(Line("timer").put("index", index_).put("overhead_ns", overhead_ns));
    for (Arm &arm : arms_) {
      if (arm.reason.empty()) timed_.push_back(&arm);
    }
    const double fastest_ns = warm_up();
    const int64_t repeats = session_.request.repeats * (fastest_ns < kShortNs ? kShortFactor : 1);
    take_blocks(Cache::warm, (repeats + 2 * kColdPerWarm - 1) / (2 * kColdPerWarm));
    take_blocks(Cache::cold, (repeats + 1) / 2);
    return report();
  }

 private:
  // Gets the arm ready and calls it once on a free and once on a held stream; says why if it cannot be timed.
  void prepare(Arm &arm) {
    if (!arm.reason.empty()) return;
    try {
      if (!is_control(arm)) {
        arm.reason = arm.contender->prepare(
            {sampler_.operands(), [&](const auto &call, int count) { return sampler_.time_call(call, count); },
             clock_.stream(), session_.request.vendor_algorithms});
      }
      if (!arm.reason.empty()) return;
      sampler_.first_call(arm);
      Series discarded;
      (void)take(arm, Cache::cold, discarded);
    } catch (const std::runtime_error &error) {
      arm.reason = error.what() + changes_text(arm.audit);
    } catch (Fatal &fatal) {
      blame(fatal, arm);
    }
  }

  // Rounds of all arms, until the clock is level; returns the fastest time seen.
  double warm_up() {
    const Stopwatch watch;
    std::vector<double> clocks;
    double fastest_ns = INFINITY;
    Series discarded;
    for (int64_t round = 0; round < session_.request.warmup || !level(clocks); ++round) {
      if (round >= session_.request.warmup && watch.elapsed_ns() > kMaxWarmupNs) break;
      double clock_sum = 0;
      for (Arm *arm : timed_) {
        const Sample sample = take(*arm, Cache::cold, discarded);
        clock_sum += sample.sm_clock_mhz;
        fastest_ns = std::min(fastest_ns, sample.time_ns);
      }
      clocks.push_back(clock_sum / static_cast<double>(timed_.size()));
    }
    return fastest_ns;
  }

  // Whether the last rounds ran at the clock of those before. A device that tells no clock is level.
  static bool level(const std::vector<double> &clocks) {
    if (clocks.size() < 2 * kLevelWindow) return false;
    const auto mean = [](auto begin, auto end) { return std::accumulate(begin, end, 0.0) / kLevelWindow; };
    const double last = mean(clocks.end() - kLevelWindow, clocks.end());
    const double before = mean(clocks.end() - 2 * kLevelWindow, clocks.end() - kLevelWindow);
    return std::fabs(last - before) <= kLevel * before;
  }

  void take_blocks(Cache cache, int64_t blocks) {
    const uint64_t seed =
        derive_seed(session_.request.seed, static_cast<uint64_t>(index_) * 2 + (cache == Cache::warm));
    const size_t arms = timed_.size();
    for (int64_t block = 0; block < blocks; ++block) {
      const std::vector<int> order = block_order(static_cast<int>(arms), seed, block);
      for (size_t place = 0; place < order.size(); ++place) {
        const bool last_call = cache == Cache::cold && block + 1 == blocks && place >= arms;
        take_in_sequence(*timed_[static_cast<size_t>(order[place])], cache, last_call);
      }
    }
  }

  void take_in_sequence(Arm &arm, Cache cache, bool checked) {
    Series &series = cache == Cache::cold ? arm.cold : arm.warm;
    const Sample sample = checked ? take_checked(arm, cache, series) : take(arm, cache, series);
    series.time_ns.push_back(sample.time_ns);
    series.sm_clock_mhz.push_back(sample.sm_clock_mhz);
    series.order.push_back(sequence_++);
  }

  Sample take(Arm &arm, Cache cache, Series &series) {
    try {
      return sampler_.take(arm, cache, series.retaken);
    } catch (Fatal &fatal) {
      blame(fatal, arm);
    }
  }

  Sample take_checked(Arm &arm, Cache cache, Series &series) {
    try {
      return sampler_.take_checked(arm, cache, series.retaken, output_checks_[arm.number]);
    } catch (Fatal &fatal) {
      blame(fatal, arm);
    }
  }

  [[noreturn]] static void blame(Fatal &fatal, const Arm &arm) {
    if (fatal.kind == "cuda_error") {
      if (arm.number != 0) fatal.kind = "contender";
      fatal.message += " (while arm " + std::to_string(arm.number) + ", " + arm.name + ", ran)";
    }
    throw fatal;
  }

  // Returns whether every check of the candidate passed.
  bool report() {
    const Launches launches = capture_launches(session_.candidate.run, sampler_.ready_call(*arms_[0].contender),
                                               session_.driver, session_.device);
    bool sound = true;
    for (const Arm *arm : timed_) {
      report_samples(session_.events, index_, *arm);
      for (const CheckResult &result : results_of(*arm, launches)) {
        report_output_check(session_.events, index_, arm->number, result);
        if (arm->number == 0) sound = sound && result.status == Status::passed;
      }
    }
    report_launches(session_.events, index_, launches);
    return sound;
  }

  std::vector<CheckResult> results_of(const Arm &arm, const Launches &launches) const {
    std::vector<CheckResult> results =
        audit_results(arm.audit, sampler_.operands().shape(), session_.request.dtype, arm.contender->is_kernel());
    results.insert(results.begin(), output_checks_.at(arm.number));
    if (arm.number == 0) results.push_back(judge_launches(launches));
    return results;
  }

  Session &session_;
  int index_;
  Clock &clock_;
  Sampler sampler_;
  std::vector<Arm> arms_;
  std::vector<Arm *> timed_;
  std::map<int, CheckResult> output_checks_;
  int64_t sequence_ = 0;
};

}  // namespace

void bench(Session &session) {
  Clock clock(session.device);
  const std::vector<Entrant> entrants = open_entrants(session);
  double highest_clock_mhz = 0;
  for (size_t i = 0; i < session.request.shapes.size(); ++i) {
    const Shape &shape = session.request.shapes[i];
    if (!shape.timed) continue;
    const int index = static_cast<int>(i);
    const Stopwatch watch;
    report_shape_begin(session.events, index, shape);
    bool sound = false;
    try {
      sound = ShapeBench(session, index, shape, clock, highest_clock_mhz, entrants).run();
    } catch (const CallFailed &failure) {
      throw Fatal{kExitCudaError, "contender", failure.what(), "", "", 0, ""};
    }
    report_shape_end(session.events, index, sound ? "completed" : "failed", watch.elapsed_ns());
  }
}

}  // namespace pyc::harness
