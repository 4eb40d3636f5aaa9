// compare of `pyc lab`.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/lab.h"
#include "cli/lab_json.h"

namespace pyc::cli {
namespace {

using workspace::LabTiming;

std::string names_of(const lab::ComparedTiming &row) {
  const std::string left = printable(row.left.kernel), right = printable(row.right.kernel);
  return left == right ? left : left + " / " + right;
}

std::string change(double left, double right) {
  if (!(left > 0)) return "-";
  return fmt::format("{:+.2f} %", (right - left) / left * 100);
}

std::string figure(const std::optional<double> &value, const char *unit) {
  return value ? fmt::format("{:.4g} {}", *value, unit) : "-";
}

// What the kernels say of themselves is told apart from the wall clock around their programs.
void add_rows(const lab::ComparedTiming &row, std::vector<std::vector<std::string>> &rows) {
  const LabTiming &left = row.left, &right = row.right;
  rows.push_back({names_of(row), left.phase + ", mean", milliseconds(left.mean_ms), milliseconds(right.mean_ms),
                  change(left.mean_ms, right.mean_ms)});
  if (left.best_ms && right.best_ms)
    rows.push_back({names_of(row), "best_ms", figure(left.best_ms, "ms"), figure(right.best_ms, "ms"),
                    change(*left.best_ms, *right.best_ms)});
  if (left.gflops && right.gflops)
    rows.push_back({names_of(row), "gflops", figure(left.gflops, "GFLOP/s"), figure(right.gflops, "GFLOP/s"),
                    change(*left.gflops, *right.gflops)});
}

}  // namespace

Result<Answer> run_lab_compare(const Invocation &invocation) {
  PYC_TRY(const lab::CompareResult result,
          lab::compare(invocation.values.text("--left"), invocation.values.text("--right")));
  std::vector<std::vector<std::string>> rows = {{"NAME", "FIGURE", "LEFT", "RIGHT", "CHANGE"}};
  for (const lab::ComparedTiming &row : result.rows) add_rows(row, rows);
  Answer answer;
  answer.text = format_table(rows, {2, 3, 4});
  if (!result.left_out.empty())
    answer.notes = "in one of them only: " + printable(join(result.left_out, ", "), 1000) + "\n";
  answer.json = [result] { return lab_compare_document(result); };
  return answer;
}

}  // namespace pyc::cli
