// `pyc lab compare`: two results side by side.
#include <algorithm>
#include <fmt/format.h>

#include "lab/verbs.h"

namespace pyc::lab {
namespace {

using workspace::LabTiming;
using workspace::LabTimings;

bool names_matter(const LabTimings &left, const LabTimings &right) {
  return left.kind == "suite" || right.kind == "suite";
}

const LabTiming *partner(const LabTiming &wanted, const LabTimings &among, bool by_name) {
  const auto found = std::find_if(among.rows.begin(), among.rows.end(), [&](const LabTiming &row) {
    return row.phase == wanted.phase && (!by_name || row.kernel == wanted.kernel);
  });
  return found == among.rows.end() ? nullptr : &*found;
}

void note_missing(const LabTimings &of, const LabTimings &in, bool by_name, CompareResult &result) {
  for (const LabTiming &row : of.rows) {
    if (!partner(row, in, by_name)) result.left_out.push_back(row.kernel + " " + row.phase);
  }
}

}  // namespace

Result<CompareResult> compare(const std::filesystem::path &left, const std::filesystem::path &right) {
  PYC_TRY(const LabTimings a, workspace::read_lab_timings(left));
  PYC_TRY(const LabTimings b, workspace::read_lab_timings(right));
  const bool by_name = names_matter(a, b);
  CompareResult result;
  for (const LabTiming &row : a.rows) {
    if (const LabTiming *other = partner(row, b, by_name)) result.rows.push_back({row, *other});
  }
  note_missing(a, b, by_name, result);
  note_missing(b, a, by_name, result);
  if (!result.rows.empty()) return result;
  return fail(ErrorKind::kInvalid, fmt::format("'{}' and '{}' have no times in common", left.string(), right.string()),
              "compare results of the same phase, and suites with a kernel in common");
}

}  // namespace pyc::lab
