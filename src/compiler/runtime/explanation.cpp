#include "compiler/runtime/explanation.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "compiler/runtime/names.h"
#include "compiler/runtime/struct_size.h"

namespace pyc::runtime {
namespace {

// The caller may have made the report: the text ends with the array, if not before.
template <size_t size>
std::string text_in(const char (&array)[size]) {
  return {array, strnlen(array, size)};
}

std::string line(const pyc_rung_report &report) {
  const bool refused = report.verdict == PYC_VERDICT_REFUSED;
  const std::string symbol = text_in(report.symbol), detail = text_in(report.detail);
  char text[512];
  std::snprintf(text, sizeof text, "  %-9s %-9s %s%s%s%s\n", rung_name(report.rung), verdict_name(report.verdict),
                refused ? reason_string(report.reason) : symbol.c_str(), detail.empty() ? "" : " (", detail.c_str(),
                detail.empty() ? "" : ")");
  return text;
}

}  // namespace

std::string explanation_text(std::span<const pyc_rung_report> reports) {
  std::string text;
  for (const pyc_rung_report &report : reports) text += line(report);
  return text;
}

pyc_status check_reports(const pyc_rung_report *reports, size_t capacity, const size_t *count) {
  if (count == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "count is NULL");
  if (capacity == 0) return PYC_STATUS_SUCCESS;
  if (reports == nullptr) return fail(PYC_STATUS_INVALID_VALUE, "reports is NULL");
  return check_struct_size("reports[0]", reports[0].struct_size, {sizeof *reports});
}

void copy_reports(std::span<const pyc_rung_report> explanation, pyc_rung_report *reports, size_t capacity,
                  size_t *count) {
  std::copy_n(explanation.begin(), std::min(capacity, explanation.size()), reports);
  *count = explanation.size();
}

}  // namespace pyc::runtime
