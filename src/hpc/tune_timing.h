// The second half of a search: rounds that leave the best few, a final among them, and the winner.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/result.h"
#include "hpc/trials.h"
#include "hpc/tune.h"
#include "hpc/tune_preparation.h"
#include "hpc/tune_rounds.h"
#include "hpc/tuning_file.h"

namespace pyc::hpc {

class Timing {
 public:
  Timing(const Context &context, const TuneOptions &options, Trials &trials, const SearchClock &clock,
         TuningFile &file);

  // The best of the valid sets so far, fastest first: at most kFinalists, none if no set is valid.
  Result<std::vector<int>> leaders();
  // The fastest set that holds in the final; none if no set is valid.
  Result<std::optional<int>> winner();

 private:
  evidence::Tuning &tuning() { return file_.document(); }
  evidence::TunedSet &set(int number) { return tuning().sets[static_cast<std::size_t>(number)]; }
  bool is_valid(int number) { return set(number).status == evidence::SetStatus::kValid; }
  bool time_is_left() const { return has_time(options_.budget, clock_.spent(), kLastRoundShare); }
  std::vector<int> valid_sets();
  Status save();
  void tell(const std::string &what, int done, int total) const;

  void choose_baseline(const std::vector<int> &sets);
  Result<std::vector<int>> race(std::vector<int> sets);
  Result<std::vector<Score>> time_final(std::vector<int> finalists);

  const Context &context_;
  const TuneOptions &options_;
  Trials &trials_;
  const SearchClock &clock_;
  TuningFile &file_;
  std::chrono::nanoseconds began_{0};  // the round that is under way
  Rounds rounds_;
};

}  // namespace pyc::hpc
