#include "cli/run_flags.h"

#include <fmt/format.h>
#include <limits>

#include "base/text.h"

namespace pyc::cli {
namespace {

constexpr std::int64_t kMaxTimeoutSeconds = 24 * 3600;

}  // namespace

Result<std::vector<evidence::Shape>> read_shapes(const Values &values) {
  std::vector<evidence::Shape> shapes;
  for (const std::string &word : values.list("--shape")) {
    const auto shape = evidence::parse_shape(word);
    if (!shape) {
      return fail(ErrorKind::kInvalid, fmt::format("--shape '{}' is not a problem size", printable(word)),
                  "write MxNxK with whole numbers of at least 1, for example --shape 1024x512x2048");
    }
    shapes.push_back(*shape);
  }
  return shapes;
}

Result<std::chrono::milliseconds> read_timeout(const Values &values, std::chrono::milliseconds fallback) {
  PYC_TRY(const std::int64_t seconds, values.integer("--timeout", fallback.count() / 1000, 1, kMaxTimeoutSeconds));
  return std::chrono::milliseconds(std::chrono::seconds(seconds));
}

Status read_run_flags(const Values &values, hpc::RunOptions &options) {
  options.name = values.text("--name");
  options.dry_run = values.has("--dry-run");
  PYC_TRY(options.shapes, read_shapes(values));
  PYC_TRY(const std::int64_t seed, values.integer("--seed", static_cast<std::int64_t>(hpc::kDefaultSeed), 0,
                                                  std::numeric_limits<std::int64_t>::max()));
  options.seed = static_cast<std::uint64_t>(seed);
  PYC_TRY(options.silence_limit, read_timeout(values, options.silence_limit));
  return {};
}

}  // namespace pyc::cli
