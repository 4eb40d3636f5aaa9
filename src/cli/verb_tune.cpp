#include <fmt/format.h>
#include <limits>

#include "base/text.h"
#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/run_flags.h"
#include "cli/verb.h"
#include "hpc/tune.h"
#include "hpc/tune_summary.h"

namespace pyc::cli {
namespace {

constexpr std::int64_t kMostJobs = 1024;
constexpr std::size_t kShownSets = 10, kShownReasons = 4;

Result<std::vector<std::int64_t>> read_values(const std::string &flag, const std::string &text) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> values;
  for (const std::string &word : split(text, ',')) {
    PYC_TRY(const std::int64_t value, parse_integer(flag, word, kLeast, kMost));
    values.push_back(value);
  }
  return values;
}

Status read_restrictions(const Values &values, hpc::TuneOptions &options) {
  for (const std::string &word : values.list("--set")) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::kInvalid, fmt::format("--set '{}' is not KEY=VALUE", printable(word)),
                  "for example: --set tile_k=16, or some values to choose from: --set tile_m=64,128");
    }
    const std::string key = word.substr(0, equals);
    PYC_TRY(std::vector<std::int64_t> choice, read_values("--set " + printable(key), word.substr(equals + 1)));
    if (options.restrictions.emplace(key, std::move(choice)).second) continue;
    return fail(ErrorKind::kInvalid, fmt::format("the parameter '{}' is given twice", printable(key)),
                fmt::format("give its values in one: --set {}=V1,V2", printable(key)));
  }
  return {};
}

Result<hpc::TuneOptions> read_options(const Values &values) {
  hpc::TuneOptions options;
  options.name = values.text("--name");
  options.template_name = values.text("--template");
  options.arch = values.text("--arch");
  options.dtype = values.text("--dtype");
  options.layout = values.text("--layout");
  options.shape_family = values.text("--shape-family");
  PYC_CHECK(read_restrictions(values, options));
  PYC_TRY(options.shapes, read_shapes(values));
  if (values.has("--budget")) {
    PYC_TRY(options.budget, hpc::parse_budget(values.text("--budget")));
  }
  PYC_TRY(const std::int64_t seed, values.integer("--seed", static_cast<std::int64_t>(hpc::kDefaultSeed), 0,
                                                  std::numeric_limits<std::int64_t>::max()));
  options.seed = static_cast<std::uint64_t>(seed);
  PYC_TRY(const std::int64_t jobs, values.integer("--jobs", 0, 1, kMostJobs));
  options.jobs = static_cast<int>(jobs);
  options.keep_spills = values.has("--keep-spills");
  options.exhaustive = values.has("--exhaustive");
  options.restart = values.has("--restart");
  options.dry_run = values.has("--dry-run");
  PYC_TRY(options.silence_limit, read_timeout(values, options.silence_limit));
  return options;
}

template <class Interval>
std::string ratio_cell(const std::optional<Interval> &ratio) {
  return ratio ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->estimate, ratio->low, ratio->high) : "-";
}

// Ratios are other / set: above 1 the set is faster.
std::string speed_table(const evidence::Tuning &tuning) {
  const std::vector<hpc::TuneRow> ranked = hpc::ranked_sets(tuning);
  if (ranked.empty()) return {};
  std::vector<std::vector<std::string>> rows = {
      {"set", "baseline/set", "cuBLASLt/set", "registers", "occupancy", "parameters"}};
  for (std::size_t i = 0; i < std::min(kShownSets, ranked.size()); ++i) {
    const hpc::TuneRow &row = ranked[i];
    rows.push_back({std::to_string(row.set),
                    row.final_ratio ? ratio_cell(row.final_ratio) : fmt::format("{:.3f}", row.ratio),
                    ratio_cell(row.vendor_ratio), std::to_string(row.registers_per_thread),
                    row.occupancy ? fmt::format("{:.2f}", *row.occupancy) : "-", row.parameters});
  }
  std::string table = format_table(rows, {0, 1, 2, 3, 4});
  if (ranked.size() > kShownSets) table += fmt::format("and {} slower sets\n", ranked.size() - kShownSets);
  return table + fmt::format("the baseline is set {}; intervals are those of the final\n", tuning.baseline);
}

std::string notes_of(const hpc::TuneResult &result, const std::string &record) {
  const evidence::Tuning &tuning = result.document;
  std::string notes = speed_table(tuning);
  const std::string counts = tuning.sets.empty() ? "none tried yet" : hpc::count_statuses(tuning);
  notes += fmt::format("{} of {} sets: {}\n", tuning.sets.size(), tuning.space_sets, counts);
  for (const std::string &line : hpc::frequent_reasons(tuning, kShownReasons)) notes += "  " + line + "\n";
  if (const auto times = hpc::compile_times(tuning)) {
    notes += fmt::format("{} compilations: median {:.1f} s, longest {:.1f} s\n", times->sets, times->median_s,
                         times->longest_s);
  }
  notes += fmt::format("record: {}\n", record);
  if (result.winner) notes += fmt::format("next: pyc hpc validate --name {}\n", tuning.name);
  return notes;
}

}  // namespace

Result<Answer> run_tune(const Invocation &invocation) {
  PYC_TRY(const hpc::TuneOptions options, read_options(invocation.values));
  PYC_TRY(const hpc::TuneResult result, hpc::tune(invocation.context, options));
  Answer answer;
  const std::string record = printed_path(invocation.context, result.record_path);
  if (result.winner) answer.text = printed_path(invocation.context, *result.winner) + "\n";
  answer.notes = notes_of(result, record);
  answer.warnings = result.warnings;
  answer.failure = result.failure;
  answer.json = [result, record] { return tune_document(result, record); };
  return answer;
}

}  // namespace pyc::cli
