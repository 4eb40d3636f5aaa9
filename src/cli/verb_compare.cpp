#include <fmt/format.h>

#include "base/text.h"
#include "cli/json_output.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

std::string microseconds(const std::optional<double> &time_ns) {
  return time_ns ? fmt::format("{:.2f}", *time_ns / 1e3) : "-";
}

std::string ratio_cell(const std::optional<stats::Interval> &ratio) {
  return ratio ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->estimate, ratio->low, ratio->high) : "-";
}

// Of a not_comparable one too: the figures are shown, the word is not "faster".
std::string words_of(const std::string &verdict) { return verdict == "not_comparable" ? "not comparable" : verdict; }

std::string shape_table(const hpc::BenchmarkComparison &comparison) {
  std::vector<std::vector<std::string>> rows = {
      {"shape", "left us", "right us", "left/right (95 % interval)", "right is"}};
  for (const hpc::ComparedShape &row : comparison.shapes) {
    rows.push_back({to_string(row.shape), microseconds(row.left_ns), microseconds(row.right_ns), ratio_cell(row.ratio),
                    words_of(row.verdict)});
  }
  rows.push_back({"all", "", "", ratio_cell(comparison.ratio), words_of(comparison.verdict)});
  return format_table(rows, {1, 2, 3});
}

std::string difference_table(const hpc::BenchmarkComparison &comparison) {
  if (comparison.differences.empty()) return "the runs share GPU, driver, toolchain, flags and clocks\n";
  std::vector<std::vector<std::string>> rows = {{"what differs", "left", "right"}};
  for (const hpc::Difference &difference : comparison.differences)
    rows.push_back({difference.what, printable(difference.left), printable(difference.right)});
  return format_table(rows);
}

std::string describe(const hpc::BenchmarkComparison &comparison) {
  std::string text = fmt::format("left: {}\nright: {}\n\n", comparison.left_name, comparison.right_name);
  text += shape_table(comparison);
  for (const std::string &shape : comparison.left_out) text += "left out: " + shape + "\n";
  text += "\n" + difference_table(comparison);
  text += fmt::format("\nverdict: {} ({})\n", words_of(comparison.verdict), join(comparison.reasons, "; "));
  return text;
}

std::optional<Error> failure_of(const hpc::BenchmarkComparison &comparison) {
  if (!comparison.slower()) return std::nullopt;
  return Error{
      ErrorKind::kNo, fmt::format("'{}' is slower than '{}'", comparison.right_name, comparison.left_name),
      fmt::format("two runs differ by more than their noise: pyc hpc bench --name {} --against {} decides it in one",
                  comparison.right_name, comparison.left_name)};
}

}  // namespace

Result<Answer> run_compare(const Invocation &invocation) {
  const Values &values = invocation.values;
  PYC_TRY(const hpc::BenchmarkComparison comparison,
          hpc::compare(invocation.context, {values.text("--left"), values.text("--right")}));
  Answer answer;
  answer.text = describe(comparison);
  answer.failure = failure_of(comparison);
  answer.json = [comparison, failure = answer.failure] { return compare_document(comparison, failure); };
  return answer;
}

}  // namespace pyc::cli
