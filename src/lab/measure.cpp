#include "lab/measure.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/metrics.h"
#include "stats/statistics.h"

namespace pyc::lab {
namespace {

constexpr double kTailQuantile = 0.95;

workspace::LabTimes summarize(std::vector<double> samples_ms) {
  const auto [least, most] = std::minmax_element(samples_ms.begin(), samples_ms.end());
  workspace::LabTimes times;
  times.mean_ms = stats::mean(samples_ms).value_or(0);
  times.median_ms = stats::median(samples_ms).value_or(0);
  times.p95_ms = stats::quantile(samples_ms, kTailQuantile).value_or(0);
  times.min_ms = *least;
  times.max_ms = *most;
  times.stdev_ms = stats::standard_deviation(samples_ms).value_or(0);
  times.samples_ms = std::move(samples_ms);
  return times;
}

// The kernel's own figures: the fastest time and the highest rate of all runs.
void keep_best(workspace::LabPhase &phase) {
  const auto best_ms = positive_metric(phase.metrics, "best_ms");
  const auto gflops = positive_metric(phase.metrics, "gflops");
  if (best_ms) phase.best_ms = std::min(*best_ms, phase.best_ms.value_or(*best_ms));
  if (gflops) phase.gflops = std::max(*gflops, phase.gflops.value_or(*gflops));
}

void keep_output(workspace::LabPhase &phase, const ProcessResult &ended) {
  phase.stdout_tail = tail_of(ended.standard_output);
  phase.stderr_tail = tail_of(ended.standard_error);
  phase.metrics = read_metrics(ended.standard_output);
  keep_best(phase);
}

Measured failed(const Command &command, const MeasureOptions &options, const ProcessResult &ended, Error error) {
  Measured measured;
  measured.failure = workspace::LabFailure{options.phase, command.text(), ended.describe(),
                                           tail_of(ended.standard_output), tail_of(ended.standard_error)};
  measured.error = std::move(error);
  return measured;
}

}  // namespace

Result<Measured> measure(const Context &context, const Command &command, const MeasureOptions &options) {
  workspace::LabPhase phase;
  phase.command = command.text();
  std::vector<double> samples_ms;
  const int runs = options.warmup + options.repeats;
  for (int i = 0; i < runs; ++i) {
    context.progress({options.what + (i < options.warmup ? " (warm-up)" : ""), i + 1, runs});
    PYC_TRY(const ProcessResult ended, run_command(context, command, options.time_limit));
    if (auto error = failure_of(options.what, ended)) return failed(command, options, ended, std::move(*error));
    if (i < options.warmup) continue;
    samples_ms.push_back(std::chrono::duration<double, std::milli>(ended.elapsed).count());
    keep_output(phase, ended);
  }
  phase.times = summarize(std::move(samples_ms));
  Measured measured;
  measured.phase = std::move(phase);
  return measured;
}

}  // namespace pyc::lab
