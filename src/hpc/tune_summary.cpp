#include "hpc/tune_summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/text.h"
#include "hpc/tune_scores.h"

namespace pyc::hpc {
namespace {

using evidence::Tuning;

constexpr int kFinalRank = 1000;  // above every round
constexpr double kNsPerSecond = 1e9;

std::string varied(const Tuning &tuning, const evidence::TunedSet &set) {
  std::vector<std::string> words;
  for (const auto &[name, value] : set.parameters) {
    const auto levels = tuning.levels.find(name);
    if (levels == tuning.levels.end() || levels->second.size() > 1) words.push_back(fmt::format("{}={}", name, value));
  }
  return join(words, " ");
}

TuneRow row_of(const Tuning &tuning, const evidence::TunedSet &set) {
  TuneRow row;
  row.set = set.number;
  row.parameters = varied(tuning, set);
  row.registers_per_thread = set.launch  ? set.launch->registers_per_thread
                             : set.build ? set.build->registers_per_thread
                                         : 0;
  if (set.launch) row.occupancy = set.launch->occupancy;
  return row;
}

// A round's figure replaces that of an earlier one: it comes from more samples.
void take_round(const Tuning &tuning, const evidence::TuningRound &round, std::map<int, TuneRow> &rows) {
  const int rank = round.number == kFinalRound ? kFinalRank : round.number;
  if (round.runs.empty()) return;
  std::vector<int> sets;
  sets.reserve(rows.size());
  for (const auto &[number, row] : rows) sets.push_back(number);
  for (const Score &score : scores(tuning, round, sets)) {
    TuneRow &row = rows.at(score.set);
    if (rank <= row.last_round) continue;
    row.last_round = rank;
    row.ratio = score.ratio;
  }
}

}  // namespace

std::vector<TuneRow> ranked_sets(const Tuning &tuning) {
  std::map<int, TuneRow> rows;
  for (const evidence::TunedSet &set : tuning.sets)
    if (set.status == evidence::SetStatus::kValid) rows[set.number] = row_of(tuning, set);
  for (const evidence::TuningRound &round : tuning.rounds) take_round(tuning, round, rows);
  std::vector<TuneRow> ranked;
  for (auto &[number, row] : rows) {
    if (row.last_round == 0) continue;
    if (row.last_round == kFinalRank) {
      row.final_ratio = final_ratio(tuning, tuning.baseline, number);
      row.vendor_ratio = final_ratio(tuning, std::nullopt, number);
    }
    ranked.push_back(std::move(row));
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const TuneRow &a, const TuneRow &b) {
    return a.last_round != b.last_round ? a.last_round > b.last_round : a.ratio > b.ratio;
  });
  return ranked;
}

std::string count_statuses(const Tuning &tuning) {
  std::map<evidence::SetStatus, int> counts;
  for (const evidence::TunedSet &set : tuning.sets) ++counts[set.status];
  std::vector<std::string> words;
  for (auto entry = counts.rbegin(); entry != counts.rend(); ++entry)
    words.push_back(fmt::format("{} {}", entry->second, to_string(entry->first)));
  return join(words, ", ");
}

std::vector<std::string> frequent_reasons(const Tuning &tuning, std::size_t most) {
  std::map<std::string, std::size_t> counts;
  for (const evidence::TunedSet &set : tuning.sets)
    if (!set.reason.empty()) ++counts[set.reason];
  std::vector<std::pair<std::size_t, std::string>> sorted;
  sorted.reserve(counts.size());
  for (const auto &[reason, count] : counts) sorted.emplace_back(count, reason);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i)
    lines.push_back(fmt::format("{}: {}", counted(sorted[i].first, "set"), sorted[i].second));
  if (sorted.size() > most)
    lines.push_back(fmt::format("and {}; the record has them all", counted(sorted.size() - most, "more reason")));
  return lines;
}

std::optional<CompileTimes> compile_times(const Tuning &tuning) {
  std::vector<double> seconds;
  for (const evidence::TunedSet &set : tuning.sets)
    if (set.build && !set.build->from_cache)
      seconds.push_back(static_cast<double>(set.build->elapsed_ns) / kNsPerSecond);
  if (seconds.empty()) return std::nullopt;
  return CompileTimes{*stats::median(seconds), *std::max_element(seconds.begin(), seconds.end()),
                      static_cast<int>(seconds.size())};
}

}  // namespace pyc::hpc
