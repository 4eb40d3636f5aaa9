#include "workspace/ptxas_report.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace pyc::workspace {
namespace {

// The number that stands before `word` in the line, or 0.
std::int64_t number_before(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == line.npos) return 0;
  std::size_t begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(line.data() + begin, line.data() + at, value);
  return error == std::errc() ? value : 0;
}

void take_line(std::string_view line, PtxasReport &report) {
  if (line.find("Compiling entry function") != line.npos) ++report.kernels;
  report.registers_per_thread = std::max(
      report.registers_per_thread,
      static_cast<int>(std::min<std::int64_t>(number_before(line, " registers"), std::numeric_limits<int>::max())));
  report.spill_bytes = std::max(
      {report.spill_bytes, number_before(line, " bytes spill stores"), number_before(line, " bytes spill loads")});
  report.stack_bytes = std::max(report.stack_bytes, number_before(line, " bytes stack frame"));
  report.static_shared_bytes = std::max(report.static_shared_bytes, number_before(line, " bytes smem"));
}

}  // namespace

PtxasReport read_ptxas_report(std::string_view log) {
  PtxasReport report;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    take_line(log.substr(begin, end - begin), report);
    begin = end + 1;
  }
  return report;
}

}  // namespace pyc::workspace
