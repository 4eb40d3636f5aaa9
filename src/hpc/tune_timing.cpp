#include "hpc/tune_timing.h"

#include <algorithm>

namespace pyc::hpc {

using evidence::TunedSet;

Timing::Timing(const Context &context, const TuneOptions &options, Trials &trials, const SearchClock &clock,
               TuningFile &file)
    : context_(context),
      options_(options),
      trials_(trials),
      clock_(clock),
      file_(file),
      rounds_(
          context, trials, file.document(), options.silence_limit, [this] { return save(); },
          [this](const std::string &what, int done, int total) { tell(what, done, total); }) {}

std::vector<int> Timing::valid_sets() {
  std::vector<int> valid;
  for (const TunedSet &one : tuning().sets)
    if (is_valid(one.number)) valid.push_back(one.number);
  return valid;
}

Status Timing::save() {
  tuning().elapsed_ns = clock_.spent().count();
  return file_.save(context_);
}

void Timing::tell(const std::string &what, int done, int total) const {
  const std::string left = time_left(clock_.this_run() - began_, done, total);
  context_.progress({left.empty() ? what : what + ", " + left, done, total});
}

// Ratios against another baseline say nothing about these.
void Timing::choose_baseline(const std::vector<int> &sets) {
  if (is_valid(tuning().baseline)) return;
  tuning().baseline = sets.front();
  tuning().rounds.clear();
}

Result<std::vector<int>> Timing::leaders() {
  for (;;) {
    std::vector<int> sets = valid_sets();
    if (sets.empty()) return sets;
    choose_baseline(sets);
    PYC_TRY(std::vector<int> best, race(std::move(sets)));
    if (is_valid(tuning().baseline)) return best;
  }
}

Result<std::vector<int>> Timing::race(std::vector<int> sets) {
  if (options_.exhaustive) return sets;
  for (int round = 1; sets.size() > kFinalists && time_is_left(); ++round) {
    began_ = clock_.this_run();
    PYC_CHECK(rounds_.time(round, sets, [this] { return time_is_left(); }));
    if (!is_valid(tuning().baseline)) return sets;
    std::erase_if(sets, [this](int number) { return !is_valid(number); });
    const std::vector<Score> timed = scores(tuning(), round_of(tuning(), round, repeats_of_round(round)), sets);
    const bool ended_within = timed.size() < sets.size() && !time_is_left();
    if (timed.empty() || ended_within) break;
    sets = survivors(timed, round);
  }
  if (sets.size() <= kFinalists) return sets;
  sets = furthest_first(tuning(), std::move(sets));
  sets.resize(kFinalists);
  return sets;
}

// New samples of one process for all finalists, fastest first. The baseline is timed in any case, so it may win.
Result<std::vector<Score>> Timing::time_final(std::vector<int> finalists) {
  const int baseline = tuning().baseline;
  if (std::find(finalists.begin(), finalists.end(), baseline) == finalists.end()) finalists.push_back(baseline);
  began_ = clock_.this_run();
  evidence::TuningRound &round = round_of(tuning(), kFinalRound, kFinalRepeats);
  if (scores(tuning(), round, finalists).size() != finalists.size()) round.runs.clear();
  PYC_CHECK(rounds_.time(kFinalRound, finalists, [] { return true; }));
  if (!is_valid(baseline)) return std::vector<Score>{};
  std::vector<Score> timed = scores(tuning(), round, finalists);
  std::stable_sort(timed.begin(), timed.end(), [](const Score &a, const Score &b) { return a.ratio > b.ratio; });
  return timed;
}

Result<std::optional<int>> Timing::winner() {
  for (std::size_t valid = 0; valid != valid_sets().size();) {
    valid = valid_sets().size();
    PYC_TRY(const std::vector<int> finalists, leaders());
    if (finalists.empty()) return std::nullopt;
    PYC_TRY(const std::vector<Score> timed, time_final(finalists));
    for (const Score &one : timed) {
      if (!is_valid(one.set)) continue;
      context_.progress({"checking the winner at every shape", 0, 0});
      PYC_CHECK(trials_.check_everywhere(set(one.set)));
      if (is_valid(one.set)) return one.set;
    }
  }
  return std::nullopt;
}

}  // namespace pyc::hpc
