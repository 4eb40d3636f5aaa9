#include <algorithm>
#include <fmt/format.h>

#include "cli/json_output.h"
#include "cli/verb.h"
#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

std::string describe(const hpc::GateReport &report, const Style &style) {
  std::vector<std::vector<std::string>> rows;
  for (const hpc::GateLine &line : report.lines) {
    rows.push_back({std::to_string(line.number), line.title, line.passed ? style.good("passed ") : style.bad("refused"),
                    line.figure});
  }
  return format_table(rows) + fmt::format("verdict: {}\n", to_string(report.verdict));
}

// Why each line that does not hold does not.
std::string describe_reasons(const hpc::GateReport &report) {
  std::string text;
  for (const hpc::GateLine &line : report.lines) {
    if (!line.passed && !line.reason.empty()) text += fmt::format("{} {}: {}\n", line.number, line.title, line.reason);
  }
  return text;
}

std::string microseconds(const std::optional<double> &time_ns) {
  return time_ns ? fmt::format("{:.2f}", *time_ns / 1e3) : "-";
}

// What stands behind lines 5 to 7: every shape, how sure line 5 had to be, and what the medians hide.
std::string explain(const hpc::GateReport &report) {
  std::vector<std::vector<std::string>> rows = {
      {"shape", "median us", "incumbent us", "incumbent/candidate (95 % interval)", "cuBLASLt us"}};
  for (const workspace::ShapeEvidence &shape : report.shapes) {
    const auto &ratio = shape.ratio_to_incumbent;
    rows.push_back({to_string(shape.shape), microseconds(shape.median_ns), microseconds(shape.incumbent_median_ns),
                    ratio ? fmt::format("{:.4f} ({:.4f} to {:.4f})", ratio->estimate, ratio->low, ratio->high) : "-",
                    microseconds(shape.cublaslt_median_ns)});
  }
  std::string text = format_table(rows, {1, 2, 3, 4});
  text += fmt::format("attempt {} of this digest against this incumbent: line 5 asks for a {:.4g} % interval\n",
                      report.attempts, report.confidence * 100);
  for (const std::string &remark : report.remarks) text += "remark: " + remark + "\n";
  return text;
}

std::optional<Error> failure_of(const std::string &name, const hpc::PromoteResult &result) {
  if (result.promoted) return std::nullopt;
  const hpc::GateReport &report = result.report;
  const auto first =
      std::find_if(report.lines.begin(), report.lines.end(), [](const auto &line) { return !line.passed; });
  std::string hint = first == report.lines.end() ? "" : first->reason;
  if (report.repeats_to_decide) hint = fmt::format("bench again with --repeats {}", *report.repeats_to_decide);
  const ErrorKind kind = report.unfit_evidence ? ErrorKind::kInvalid : ErrorKind::kNo;
  return Error{kind, fmt::format("'{}' is not promoted: {}", name, to_string(report.verdict)), hint};
}

}  // namespace

Result<Answer> run_promote(const Invocation &invocation) {
  const Values &values = invocation.values;
  hpc::PromoteOptions options;
  options.name = values.text("--name");
  options.validation_result = values.text("--validation-result");
  options.benchmark_result = values.text("--benchmark-result");
  options.bootstrap = values.has("--bootstrap");
  PYC_TRY(options.max_regression, values.number("--max-regression", hpc::kDefaultMaxRegression, 0, 1));
  PYC_TRY(const hpc::PromoteResult result, hpc::promote(invocation.context, options));

  Answer answer;
  answer.text = describe(result.report, invocation.answer_style);
  if (values.has("--explain")) answer.text += explain(result.report);
  answer.notes =
      result.promoted ? "next: build again, so that the runtime dispatches to it\n" : describe_reasons(result.report);
  answer.failure = failure_of(options.name, result);
  answer.json = [result, failure = answer.failure] { return promote_document(result, failure); };
  return answer;
}

}  // namespace pyc::cli
