#include <fmt/format.h>

#include "base/process.h"
#include "base/text.h"
#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/run_flags.h"
#include "cli/verb.h"
#include "hpc/profile_summary.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

constexpr std::size_t kNameWidth = 100;

std::string percent(const std::optional<double> &fraction) {
  return fraction ? fmt::format("{:.1f} %", *fraction * 100) : "unknown";
}

std::string time_text(const hpc::ProfileRow &row) {
  return row.time_ns ? fmt::format("{:.2f} us", *row.time_ns / 1e3) : "unknown";
}

std::string limiter_text(const hpc::ProfileRow &row) {
  if (!row.limit_blocks) return "unknown";
  return fmt::format("{}: {:.0f} blocks per SM", join(row.limiters, ", "), *row.limit_blocks);
}

std::string stall_text(const hpc::ProfileRow &row) {
  std::vector<std::string> reasons;
  for (const hpc::Stall &stall : row.stalls)
    reasons.push_back(fmt::format("{} {:.2f}", stall.reason, stall.warps_per_issue));
  return reasons.empty() ? "unknown" : join(reasons, ", ") + " warps per issue";
}

std::string count_text(const std::optional<double> &count) { return count ? fmt::format("{:.0f}", *count) : "unknown"; }

std::string describe(const hpc::ProfileRow &row, const Style &style) {
  return style.bold(printable(row.kernel, kNameWidth)) + "\n" +
         format_table(
             {{"  time", time_text(row)},
              {"  compute", percent(row.compute) + " of peak"},
              {"  memory", fmt::format("{} of peak; device memory alone {}", percent(row.memory), percent(row.dram))},
              {"  occupancy", fmt::format("{} of at most {}", percent(row.occupancy), percent(row.possible_occupancy))},
              {"  limited by", limiter_text(row)},
              {"  top stalls", stall_text(row)},
              {"  bank conflicts", count_text(row.bank_conflicts)},
              {"  L2 hit rate", percent(row.l2_hit_rate)}});
}

// The summary; of a profiler of the user's own what it printed.
std::string notes_of(const evidence::Profile &profile, const Style &style) {
  std::string notes =
      fmt::format("{} at {}: {}\n", profile.header.candidate.name, to_string(profile.shape), profile.run.ended);
  if (!profile.default_metrics)
    return notes + quote_command(profile.run.command) + "\n" + profile.run.standard_output + profile.run.standard_error;
  for (const evidence::ProfiledKernel &kernel : profile.kernels) notes += describe(hpc::summarize(kernel), style);
  return notes;
}

Result<hpc::ProfileOptions> read_options(const Values &values) {
  hpc::ProfileOptions options;
  options.name = values.text("--name");
  if (values.has("--command")) options.command = values.text("--command");
  PYC_TRY(const std::vector<evidence::Shape> shapes, read_shapes(values));
  if (!shapes.empty()) options.shape = shapes.front();
  PYC_TRY(options.time_limit, read_timeout(values, options.time_limit));
  return options;
}

}  // namespace

Result<Answer> run_profile(const Invocation &invocation) {
  PYC_TRY(const hpc::ProfileOptions options, read_options(invocation.values));
  PYC_TRY(const hpc::RunResult<evidence::Profile> result, hpc::profile(invocation.context, options));
  Answer answer;
  const std::string path = printed_path(invocation.context, result.evidence_path);
  answer.text = path + "\n";
  answer.notes = notes_of(result.document, invocation.style);
  answer.warnings = result.document.header.warnings;
  answer.failure = result.failure;
  answer.json = [result, path] { return run_document(path, to_json(result.document), result.failure); };
  return answer;
}

}  // namespace pyc::cli
