#include "hpc/tune_scores.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pyc::hpc {
namespace {

using evidence::TunedArm;
using evidence::TunedShape;
using evidence::Tuning;
using evidence::TuningRound;
using evidence::TuningRun;

constexpr double kLongWork = 2.8e11;  // m * n * k: some 10 ms of fp32 on an H200

double work(const evidence::Shape &shape) {
  return static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

std::optional<double> ratio_at(const TunedShape &shape, int set) {
  const std::vector<double> &mine = find_arm(shape, set)->cold_ns;
  if (mine.size() != shape.baseline_ns.size()) return std::nullopt;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < mine.size(); ++i) ratios.push_back(shape.baseline_ns[i] / mine[i]);
  return stats::median(ratios);
}

std::optional<double> ratio_in(const TuningRun &run, int set) {
  std::vector<double> ratios;
  for (const TunedShape &shape : run.shapes) {
    const auto ratio = ratio_at(shape, set);
    if (!ratio) return std::nullopt;
    ratios.push_back(*ratio);
  }
  return stats::geometric_mean(ratios);
}

}  // namespace

const TunedArm *find_arm(const TunedShape &shape, int set) {
  const auto found =
      std::find_if(shape.arms.begin(), shape.arms.end(), [&](const auto &arm) { return arm.set == set; });
  return found == shape.arms.end() ? nullptr : &*found;
}

const TuningRun *run_of(const TuningRound &round, int set) {
  for (const TuningRun &run : round.runs) {
    const bool whole = !run.shapes.empty() && std::all_of(run.shapes.begin(), run.shapes.end(), [&](const auto &shape) {
      return find_arm(shape, set) != nullptr;
    });
    if (whole) return &run;
  }
  return nullptr;
}

std::vector<evidence::Shape> shapes_of_round(const std::vector<evidence::Shape> &shapes, int round) {
  std::vector<evidence::Shape> quick;
  for (const evidence::Shape &shape : shapes)
    if (work(shape) <= kLongWork) quick.push_back(shape);
  return round == 1 && !quick.empty() ? quick : shapes;
}

std::vector<Score> scores(const Tuning &tuning, const TuningRound &round, const std::vector<int> &sets) {
  std::vector<Score> all;
  for (const int set : sets) {
    if (set == tuning.baseline) {
      all.push_back({set, 1.0});
    } else if (const TuningRun *run = run_of(round, set)) {
      if (const auto ratio = ratio_in(*run, set)) all.push_back({set, *ratio});
    }
  }
  return all;
}

std::vector<int> furthest_first(const Tuning &tuning, std::vector<int> sets) {
  std::map<int, std::pair<int, double>> reached;  // round and speed
  for (const TuningRound &round : tuning.rounds) {
    if (round.number == kFinalRound) continue;
    for (const Score &score : scores(tuning, round, sets)) {
      // The baseline is timed in each round, whether it got there or not.
      if (score.set == tuning.baseline && round.number > 1) continue;
      reached[score.set] = std::max(reached[score.set], {round.number, score.ratio});
    }
  }
  std::stable_sort(sets.begin(), sets.end(), [&](int a, int b) { return reached[a] > reached[b]; });
  return sets;
}

std::optional<stats::Interval> final_ratio(const Tuning &tuning, std::optional<int> other, int set) {
  const auto final = std::find_if(tuning.rounds.begin(), tuning.rounds.end(),
                                  [](const TuningRound &round) { return round.number == kFinalRound; });
  if (final == tuning.rounds.end()) return std::nullopt;
  for (const TuningRun &run : final->runs) {
    std::vector<stats::PairedSamples> pairs;
    for (const TunedShape &shape : run.shapes) {
      const auto samples = [&](int which) -> std::optional<std::vector<double>> {
        if (which == tuning.baseline) return shape.baseline_ns;
        const TunedArm *arm = find_arm(shape, which);
        return arm == nullptr ? std::nullopt : std::optional(arm->cold_ns);
      };
      const auto mine = samples(set), theirs = other ? samples(*other) : shape.cublaslt_ns;
      if (mine && theirs) pairs.push_back({*theirs, *mine});
    }
    if (pairs.size() == run.shapes.size()) return stats::geometric_mean_ratio(pairs);
  }
  return std::nullopt;
}

TuningRound &round_of(Tuning &tuning, int number, int repeats) {
  for (TuningRound &round : tuning.rounds)
    if (round.number == number) return round;
  tuning.rounds.push_back({number, repeats, {}});
  return tuning.rounds.back();
}

}  // namespace pyc::hpc
