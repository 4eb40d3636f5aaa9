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

std::string difference_table(const std::vector<hpc::Difference> &differences) {
  if (differences.empty()) return "the runs share GPU, driver, toolchain, flags and clocks\n";
  std::vector<std::vector<std::string>> rows = {{"what differs", "left", "right"}};
  for (const hpc::Difference &difference : differences)
    rows.push_back({difference.what, printable(difference.left), printable(difference.right)});
  return format_table(rows);
}

std::string describe(const hpc::BenchmarkComparison &comparison) {
  std::string text = fmt::format("left: {}\nright: {}\n\n", comparison.left_name, comparison.right_name);
  text += shape_table(comparison);
  for (const std::string &shape : comparison.left_out) text += "left out: " + shape + "\n";
  text += fmt::format("\n{}", difference_table(comparison.differences));
  text += fmt::format("\nverdict: {} ({})\n", words_of(comparison.verdict), join(comparison.reasons, "; "));
  return text;
}

std::string figure_cell(const std::optional<double> &value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

std::string ratio_of_figures(const hpc::ComparedFigure &figure) {
  const bool both = figure.left && figure.right && *figure.right > 0;
  return both ? fmt::format("{:.3f}", *figure.left / *figure.right) : "-";
}

std::string or_dash(const std::string &text) { return text.empty() ? "-" : printable(text); }

std::string kernel_table(const hpc::ComparedKernel &kernel) {
  std::vector<std::vector<std::string>> rows = {{"figure", "unit", "left", "right", "left/right"}};
  for (const hpc::ComparedFigure &figure : kernel.figures) {
    rows.push_back(
        {figure.name, figure.unit, figure_cell(figure.left), figure_cell(figure.right), ratio_of_figures(figure)});
  }
  return fmt::format("left:  {}\nright: {}\n", or_dash(kernel.left), or_dash(kernel.right)) +
         format_table(rows, {2, 3, 4}) +
         fmt::format("occupancy is limited by: left {}; right {}\n", or_dash(kernel.left_limiters),
                     or_dash(kernel.right_limiters)) +
         fmt::format("top stalls (warps per issue): left {}; right {}\n", or_dash(kernel.left_stalls),
                     or_dash(kernel.right_stalls));
}

std::string describe(const hpc::ProfileComparison &comparison) {
  std::string text =
      fmt::format("left: {} at {}\nright: {} at {}\n", comparison.left_name, to_string(comparison.left_shape),
                  comparison.right_name, to_string(comparison.right_shape));
  for (const hpc::ComparedKernel &kernel : comparison.kernels) text += fmt::format("\n{}", kernel_table(kernel));
  text += fmt::format("\n{}\n", difference_table(comparison.differences));
  for (const std::string &remark : comparison.remarks) text += "remark: " + printable(remark) + "\n";
  return text + "verdict: not judged (a profile is one launch; pyc hpc bench says which is faster)\n";
}

// What would settle it: one run that holds both, where there can be one.
std::string settle_hint(const hpc::BenchmarkComparison &comparison) {
  const std::string bench = "pyc hpc bench --name " + comparison.right_name;
  if (comparison.left_name == comparison.right_name) return "bench it again on a quiet machine: " + bench;
  return fmt::format("two runs differ by more than their noise: {} --against {} decides it in one", bench,
                     comparison.left_name);
}

std::optional<Error> failure_of(const hpc::BenchmarkComparison &comparison) {
  if (!comparison.slower()) return std::nullopt;
  return Error{ErrorKind::kNo, fmt::format("'{}' is slower than '{}'", comparison.right_name, comparison.left_name),
               settle_hint(comparison)};
}

std::optional<Error> failure_of(const hpc::ProfileComparison &) { return std::nullopt; }

}  // namespace

Result<Answer> run_compare(const Invocation &invocation) {
  const Values &values = invocation.values;
  PYC_TRY(const hpc::Comparison comparison,
          hpc::compare(invocation.context, {values.text("--left"), values.text("--right")}));
  return std::visit(
      [](const auto &one) {
        Answer answer;
        answer.text = describe(one);
        answer.failure = failure_of(one);
        answer.json = [one, failure = answer.failure] { return compare_document(one, failure); };
        return answer;
      },
      comparison);
}

}  // namespace pyc::cli
