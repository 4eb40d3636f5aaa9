#include <fmt/format.h>

#include "cli/json_output.h"
#include "cli/paths.h"
#include "cli/run_flags.h"
#include "cli/verb.h"
#include "hpc/bench_summary.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

constexpr int kMostRepeats = 100000;

std::string cell(const std::optional<double> &value, const char *format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string ratio_cell(const std::optional<hpc::SpeedRatio> &ratio) {
  return ratio ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->estimate, ratio->low, ratio->high) : "-";
}

// Ratios are other / candidate: above 1 the candidate is faster.
std::string speed_table(const evidence::Benchmark &benchmark) {
  std::vector<std::vector<std::string>> rows = {
      {"shape", "median us", "TFLOP/s", "% of fp32 peak", "incumbent/candidate", "cuBLASLt/candidate"}};
  for (const hpc::BenchRow &row : hpc::summarize(benchmark)) {
    const auto microseconds = row.median_ns ? std::optional(*row.median_ns / 1e3) : std::nullopt;
    const auto percent = row.peak_fraction ? std::optional(*row.peak_fraction * 100) : std::nullopt;
    rows.push_back({to_string(row.shape), row.status == "completed" ? cell(microseconds, "{:.2f}") : row.status,
                    cell(row.tflops, "{:.2f}"), cell(percent, "{:.1f}"), ratio_cell(row.incumbent),
                    cell(row.cublaslt_ratio, "{:.3f}")});
  }
  return format_table(rows, {1, 2, 3, 4, 5});
}

Result<hpc::BenchOptions> read_options(const Values &values) {
  hpc::BenchOptions options;
  PYC_CHECK(read_run_flags(values, options));
  PYC_TRY(const std::int64_t warmup, values.integer("--warmup", options.warmup, 0, kMostRepeats));
  PYC_TRY(const std::int64_t repeats, values.integer("--repeats", options.repeats, 1, kMostRepeats));
  options.warmup = static_cast<int>(warmup);
  options.repeats = static_cast<int>(repeats);
  options.against = values.list("--against");
  return options;
}

}  // namespace

Result<Answer> run_bench(const Invocation &invocation) {
  PYC_TRY(const hpc::BenchOptions options, read_options(invocation.values));
  PYC_TRY(const hpc::RunResult<evidence::Benchmark> result, hpc::bench(invocation.context, options));
  Answer answer;
  const std::string path = printed_path(invocation.context, result.evidence_path);
  answer.text = path + "\n";
  answer.notes = options.dry_run ? fmt::format("planned: {} shapes\n", result.document.shapes.size())
                                 : speed_table(result.document);
  answer.warnings = result.document.header.warnings;
  answer.failure = result.failure;
  answer.json = [result, path] { return run_document(path, to_json(result.document), result.failure); };
  return answer;
}

}  // namespace pyc::cli
