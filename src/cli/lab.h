// What the verbs of `pyc lab` share on the command line.
#pragma once

#include "base/result.h"
#include "cli/verb.h"
#include "lab/verbs.h"

namespace pyc::cli {

// The lab's context of one call. Paths that were given are those of the current folder.
lab::Context lab_context(const Invocation &invocation);

// --repeats, --warmup and --timeout; --phase with its default.
Status read_bench_flags(const Values &values, const char *default_phase, lab::BenchOptions &options);
Status read_repeats(const Values &values, int &repeats, int &warmup);

std::string milliseconds(double time_ms);  // "1.234 ms"
std::string figures(const std::optional<double> &best_ms,
                    const std::optional<double> &gflops);  // "best 1.2 ms, 3.4 GFLOP/s", or empty

}  // namespace pyc::cli
