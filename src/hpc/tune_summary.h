// What a search found, as rows: derived from the record's raw samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/tuning.h"
#include "stats/statistics.h"

namespace pyc::hpc {

struct TuneRow {
  int set = 0;
  std::string parameters;                       // those that have more than one level
  int last_round = 0;                           // the last round that timed it; the final is the largest number
  double ratio = 0;                             // baseline / set, in that round
  std::optional<stats::Interval> final_ratio;   // of the finalists, with its 95 % interval
  std::optional<stats::Interval> vendor_ratio;  // cuBLASLt / set, of the finalists
  int registers_per_thread = 0;
  std::optional<double> occupancy;
};

// Timed sets, the finalists first, then by how far they came and how fast they were.
std::vector<TuneRow> ranked_sets(const evidence::Tuning &tuning);

// How many sets ended with each status: "180 valid, 12 unfit, 8 not_compiled".
std::string count_statuses(const evidence::Tuning &tuning);

// The most frequent reasons why sets are out: "12 sets: 16 bytes of registers spill to memory".
std::vector<std::string> frequent_reasons(const evidence::Tuning &tuning, std::size_t most);

// Median and longest time of a set's compilation, of those that were not in the cache; none without any.
struct CompileTimes {
  double median_s = 0, longest_s = 0;
  int sets = 0;
};
std::optional<CompileTimes> compile_times(const evidence::Tuning &tuning);

}  // namespace pyc::hpc
