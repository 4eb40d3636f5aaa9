#include "compiler/runtime/explanation.h"

#include <cstdio>

#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

std::string line(const pyc_rung_report &report) {
  const bool refused = report.verdict == PYC_VERDICT_REFUSED;
  char text[512];
  std::snprintf(text, sizeof text, "  %-9s %-9s %s%s%s%s\n", rung_name(report.rung), verdict_name(report.verdict),
                refused ? reason_string(report.reason) : report.symbol, report.detail[0] ? " (" : "", report.detail,
                report.detail[0] ? ")" : "");
  return text;
}

}  // namespace

std::string explanation_text(std::span<const pyc_rung_report> reports) {
  std::string text;
  for (const pyc_rung_report &report : reports) text += line(report);
  return text;
}

}  // namespace pyc::runtime
