// `pyc lab bench-cmd`: how long does any command take?
#include "base/files.h"
#include "lab/kernel_bench.h"
#include "lab/measure.h"
#include "lab/record_file.h"

namespace pyc::lab {

Result<BenchResult> bench_cmd(const Context &context, const std::string &label, const std::string &text,
                              const BenchOptions &options) {
  PYC_CHECK(check_label(label));
  PYC_TRY(const Command command, workspace::split_lab_command(text, "the command"));
  MeasureOptions measuring;
  measuring.what = "'" + label + "'";
  measuring.phase = "command";
  measuring.repeats = options.repeats;
  measuring.warmup = options.warmup;
  measuring.time_limit = options.time_limit;
  PYC_TRY(Measured measured, measure(context, command, measuring));
  // A command alone that failed has nothing to be kept.
  if (measured.error) {
    if (measured.error->hint.empty()) measured.error->hint = measured.failure->stderr_tail;
    return tl::unexpected<Error>(std::move(*measured.error));
  }
  BenchResult result;
  result.result = blank_result(context, "command", label, options);
  result.result.command = std::move(measured.phase);
  PYC_TRY(result.path, reserve_record(context.paths.results, label, context.now()));
  PYC_CHECK(write_file_atomic(result.path, to_json(result.result)));
  return result;
}

}  // namespace pyc::lab
