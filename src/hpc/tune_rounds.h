// The timing of a search: rounds that drop what is hopeless, and a final that times the best few afresh.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "evidence/tuning.h"
#include "hpc/trials.h"
#include "hpc/tune_scores.h"

namespace pyc::hpc {

class Rounds {
 public:
  // `saved` keeps the document after each run; `tell` hears what is under way, how many sets of how many are timed.
  using Save = std::function<Status()>;
  using Tell = std::function<void(const std::string &what, int done, int total)>;
  Rounds(const Context &context, Trials &trials, evidence::Tuning &tuning, std::chrono::milliseconds silence_limit,
         Save save, Tell tell);

  // Times those of `sets` that the round has not timed yet. Sets that fail become wrong, with the reason; so may the
  // baseline, and then the round is worth nothing. `has_time` is asked before each run.
  Status time(int round, const std::vector<int> &sets, const std::function<bool()> &has_time);

 private:
  Status time_run(evidence::TuningRound &round, std::vector<int> sets);
  Status blame(evidence::TuningRound &round, const std::vector<int> &sets, const Error &error,
               const evidence::HarnessTranscript &transcript);
  // The sets to blame for a run that ended badly, as far as that run can tell.
  Result<std::vector<int>> suspects(const evidence::TuningRound &round, const std::vector<int> &sets,
                                    const evidence::HarnessTranscript &transcript);
  Result<bool> baseline_fails_alone(const evidence::TuningRound &round);
  Result<evidence::HarnessRequest> request_for(const evidence::TuningRound &round, const std::vector<int> &sets);
  void take(evidence::TuningRound &round, const std::vector<int> &sets, const evidence::HarnessRequest &request,
            const evidence::HarnessTranscript &transcript);
  // The samples of one set at one shape; a set whose samples count for nothing becomes wrong.
  void take_arm(int number, const evidence::Arm &arm, evidence::TunedShape &shape);
  evidence::TunedSet &set(int number) { return tuning_.sets[static_cast<std::size_t>(number)]; }

  Context context_;
  Trials &trials_;
  evidence::Tuning &tuning_;
  std::chrono::milliseconds silence_limit_;
  Save save_;
  Tell tell_;
};

}  // namespace pyc::hpc
