// ncu's raw page as CSV: a head, a row of units, then one row for each launch.
#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "toolchain/csv.h"
#include "toolchain/localized_number.h"
#include "toolchain/ncu.h"

namespace pyc::toolchain {
namespace {

using Fields = std::vector<std::string>;

constexpr const char *kId = "ID", *kKernel = "Kernel Name";

std::optional<std::size_t> column_of(const Fields &head, const char *name) {
  const auto found = std::find(head.begin(), head.end(), name);
  if (found == head.end()) return std::nullopt;
  return static_cast<std::size_t>(found - head.begin());
}

// Metrics have two underlines in their names. Of the other columns, which name the process and the launch, two are
// kept.
bool is_metric(const std::string &name) { return name.find("__") != std::string::npos; }
bool is_kept(const std::string &name) { return is_metric(name) || name == "Block Size" || name == "Grid Size"; }

struct Table {
  Fields head, units;  // units: as long as the head, or empty
  std::vector<Fields> rows;
};

tl::unexpected<Error> unreadable(std::string_view line, const std::string &reason) {
  return fail(ErrorKind::kInvalid, fmt::format("a line of ncu's answer {}: '{}'", reason, printable(line)));
}

Status add_row(Table &table, std::string_view line, Fields fields) {
  if (fields.size() != table.head.size())
    return unreadable(line, fmt::format("has {} of {} fields", fields.size(), table.head.size()));
  if (fields[*column_of(table.head, kId)].empty()) {
    table.units = std::move(fields);
  } else {
    table.rows.push_back(std::move(fields));
  }
  return {};
}

Result<Table> read_table(std::string_view output) {
  Table table;
  for (const std::string &raw : split(output, '\n')) {
    const std::string_view line = trim(raw);
    if (!line.starts_with('"')) continue;  // a banner, or the program's own words
    auto fields = split_csv(line);
    const bool is_head = fields && column_of(*fields, kId) && column_of(*fields, kKernel);
    if (is_head && table.head.empty()) {
      table.head = std::move(*fields);
    } else if (!table.head.empty() && !(is_head && *fields == table.head)) {
      if (!fields) return unreadable(line, "leaves a quote open");
      PYC_CHECK(add_row(table, line, std::move(*fields)));
    }
  }
  if (!table.head.empty()) return table;
  return fail(ErrorKind::kInvalid, fmt::format("ncu's answer has no head with '{}' and '{}'", kId, kKernel));
}

std::vector<std::string> metric_cells(const Table &table) {
  std::vector<std::string> cells;
  for (const Fields &row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      if (is_metric(table.head[i])) cells.push_back(row[i]);
  }
  return cells;
}

NcuLaunch make_launch(const Table &table, const Fields &row, DecimalSign sign) {
  NcuLaunch launch;
  launch.kernel = printable(row[*column_of(table.head, kKernel)], 1000);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string &name = table.head[i];
    if (!is_kept(name) || row[i].empty()) continue;
    NcuMetric metric{printable(name), table.units.empty() ? "" : printable(table.units[i]), {}, {}};
    if (is_metric(name)) metric.value = parse_localized(row[i], sign);
    if (!metric.value) metric.text = printable(row[i]);
    launch.metrics.push_back(std::move(metric));
  }
  return launch;
}

}  // namespace

Result<std::vector<NcuLaunch>> parse_ncu_csv(std::string_view output) {
  PYC_TRY(const Table table, read_table(output));
  PYC_TRY(const DecimalSign sign, find_decimal_sign(metric_cells(table)));
  std::vector<NcuLaunch> launches;
  for (const Fields &row : table.rows) launches.push_back(make_launch(table, row, sign));
  return launches;
}

}  // namespace pyc::toolchain
