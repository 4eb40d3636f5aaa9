#include <fmt/format.h>

#include "base/text.h"
#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/run_flags.h"
#include "cli/verb.h"
#include "hpc/bench_summary.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

constexpr int kMostSeconds = 24 * 3600;

std::string cell(const std::optional<double> &value, const char *format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string ratio_cell(const std::optional<hpc::SpeedRatio> &ratio) {
  return ratio ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->estimate, ratio->low, ratio->high) : "-";
}

std::string percent_cell(const std::optional<double> &fraction, const char *format = "{:.1f}") {
  return cell(fraction ? std::optional(*fraction * 100) : std::nullopt, format);
}

std::string time_cell(const hpc::BenchRow &row) {
  if (row.status != "completed") return row.status;
  return cell(row.median_ns ? std::optional(*row.median_ns / 1e3) : std::nullopt, "{:.2f}");
}

std::string verdict_cell(const hpc::BenchRow &row) {
  return row.verdict.empty() ? "-" : fmt::format("{} ({})", row.verdict, join(row.reasons, ", "));
}

// Ratios are other / candidate: above 1 the candidate is faster.
std::string speed_table(const evidence::Benchmark &benchmark) {
  std::vector<std::vector<std::string>> rows = {
      {"shape", "median us", "TFLOP/s", fmt::format("% of {} peak", hpc::dtype_of(benchmark)), "MB", "% of bandwidth",
       "noise %", "incumbent/candidate", "verdict", "cuBLASLt/candidate"}};
  for (const hpc::BenchRow &row : hpc::summarize(benchmark)) {
    rows.push_back({to_string(row.shape), time_cell(row), cell(row.tflops, "{:.2f}"), percent_cell(row.peak_fraction),
                    cell(row.bytes ? std::optional(*row.bytes / 1e6) : std::nullopt, "{:.2f}"),
                    percent_cell(row.bandwidth_fraction), percent_cell(row.noise_floor, "{:.2f}"),
                    ratio_cell(row.incumbent), verdict_cell(row), cell(row.cublaslt_ratio, "{:.3f}")});
  }
  return format_table(rows, {1, 2, 3, 4, 5, 6, 7, 9});
}

// How far a kernel differs from itself on this machine.
std::string null_table(const evidence::Benchmark &benchmark) {
  std::vector<std::vector<std::string>> rows = {{"shape", "median us", "itself/itself", "noise floor %"}};
  for (const hpc::BenchRow &row : hpc::summarize(benchmark))
    rows.push_back(
        {to_string(row.shape), time_cell(row), ratio_cell(row.control), percent_cell(row.noise_floor, "{:.2f}")});
  return format_table(rows, {1, 2, 3});
}

std::string table_of(const evidence::Benchmark &benchmark, bool null) {
  std::string table = null ? null_table(benchmark) : speed_table(benchmark);
  if (benchmark.passes < 2) return table;
  return table + fmt::format("timed in {} passes: the verdict over all shapes was open\n", benchmark.passes);
}

Result<hpc::BenchOptions> read_options(const Values &values) {
  hpc::BenchOptions options;
  PYC_CHECK(read_run_flags(values, options));
  PYC_TRY(const std::int64_t warmup, values.integer("--warmup", options.warmup, 0, hpc::kMostBenchRepeats));
  PYC_TRY(const std::int64_t repeats, values.integer("--repeats", options.repeats, 1, hpc::kMostBenchRepeats));
  options.warmup = static_cast<int>(warmup);
  options.repeats = static_cast<int>(repeats);
  PYC_TRY(const std::int64_t seconds, values.integer("--max-time", options.max_time.count(), 1, kMostSeconds));
  options.max_time = std::chrono::seconds(seconds);
  if (values.has("--max-repeats")) {
    PYC_TRY(const std::int64_t most, values.integer("--max-repeats", repeats, 1, hpc::kMostBenchRepeats));
    options.max_repeats = static_cast<int>(most);
  }
  options.against = values.list("--against");
  options.null = values.has("--null");
  return options;
}

}  // namespace

Result<Answer> run_bench(const Invocation &invocation) {
  PYC_TRY(const hpc::BenchOptions options, read_options(invocation.values));
  PYC_TRY(const hpc::RunResult<evidence::Benchmark> result, hpc::bench(invocation.context, options));
  Answer answer;
  const std::string path = printed_path(invocation.context, result.evidence_path);
  answer.text = path + "\n";
  answer.notes = options.dry_run ? fmt::format("planned: {}\n", counted(result.document.shapes.size(), "shape"))
                                 : table_of(result.document, options.null);
  answer.warnings = result.document.header.warnings;
  answer.failure = result.failure;
  answer.json = [result, path] { return run_document(path, to_json(result.document), result.failure); };
  return answer;
}

}  // namespace pyc::cli
