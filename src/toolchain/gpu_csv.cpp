// nvidia-smi's CSV, in the column order of gpu_csv.h.
#include "toolchain/gpu_csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "base/text.h"
#include "toolchain/csv.h"

namespace pyc::toolchain {
namespace {

using Fields = std::vector<std::string>;

constexpr std::size_t kFields = 9, kName = 1;

// nvidia-smi does not quote: whatever is too much belongs to the name, as no other column can hold a comma.
void mend_name(Fields &fields) {
  while (fields.size() > kFields) {
    fields[kName] += ", " + fields[kName + 1];
    fields.erase(fields.begin() + kName + 1);
  }
}

// "[N/A]", "[Not Supported]", "[Insufficient Permissions]", "[Unknown Error]", "N/A", "".
bool is_unknown(const std::string &field) { return field.empty() || field.front() == '[' || to_lower(field) == "n/a"; }

std::string text_or_unknown(const std::string &field) { return is_unknown(field) ? "unknown" : printable(field); }

std::optional<double> number(const std::string &field) {
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

std::optional<std::int64_t> mebibytes(const std::string &field) {
  const auto value = number(field);
  if (!value || *value > 1e9) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(*value * (1 << 20)));
}

std::optional<bool> on_or_off(const std::string &field) {
  if (field == "Enabled") return true;
  if (field == "Disabled") return false;
  return std::nullopt;
}

// "9.0" and "12.0" as they are; anything else is unknown.
std::string compute_capability(const std::string &field) {
  const auto parts = split(field, '.');
  const auto digits = [](const std::string &part) {
    return !part.empty() && part.size() <= 2 && part.find_first_not_of("0123456789") == std::string::npos;
  };
  return parts.size() == 2 && digits(parts[0]) && digits(parts[1]) ? field : "unknown";
}

std::optional<int> parse_index(const std::string &field) {
  int index = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), index);
  if (error != std::errc() || end != field.data() + field.size() || index < 0) return std::nullopt;
  return index;
}

tl::unexpected<Error> unreadable(std::size_t line_number, std::string_view line, const std::string &reason) {
  return fail(ErrorKind::kInvalid,
              fmt::format("line {} of nvidia-smi's answer {}: '{}'", line_number, reason, printable(line)));
}

// nvidia-smi mixes such lines into its rows: "WARNING: infoROM is corrupted at gpu 0000:02:00.0".
bool is_no_row(std::string_view line) {
  return line.empty() || line.starts_with("WARNING:") || line.starts_with("No devices were found");
}

Result<GpuInfo> parse_row(std::size_t line_number, std::string_view line) {
  auto fields = split_csv(line);
  if (!fields) return unreadable(line_number, line, "leaves a quote open");
  mend_name(*fields);
  if (fields->size() < kFields) {
    return unreadable(line_number, line, fmt::format("has {} of {} fields", fields->size(), kFields));
  }
  const auto index = parse_index(fields->front());
  if (!index) return unreadable(line_number, line, "does not begin with a GPU's index");
  const Fields &f = *fields;
  if (!is_unknown(f[2]) && !f[2].starts_with("GPU-")) return unreadable(line_number, line, "has no UUID in field 3");
  return GpuInfo{*index,
                 text_or_unknown(f[kName]),
                 text_or_unknown(f[2]),
                 compute_capability(f[3]),
                 text_or_unknown(f[4]),
                 mebibytes(f[5]),
                 number(f[6]),
                 on_or_off(f[7]),
                 on_or_off(f[8])};
}

}  // namespace

Result<std::vector<GpuInfo>> parse_gpu_csv(std::string_view csv) {
  std::vector<GpuInfo> gpus;
  std::size_t line_number = 0;
  for (const std::string &raw : split(csv, '\n')) {
    ++line_number;
    const std::string_view line = trim(raw);
    if (is_no_row(line) || (line_number == 1 && line.starts_with("index"))) continue;
    PYC_TRY(GpuInfo gpu, parse_row(line_number, line));
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

}  // namespace pyc::toolchain
