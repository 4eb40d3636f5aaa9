#include "cli/run_flags.h"

#include <fmt/format.h>
#include <limits>

#include "base/text.h"

namespace pyc::cli {
namespace {

constexpr std::int64_t kMaxTimeoutSeconds = 24 * 3600;

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

}  // namespace

Status read_run_flags(const Values &values, hpc::RunOptions &options) {
  options.name = values.text("--name");
  options.dry_run = values.has("--dry-run");
  PYC_TRY(options.shapes, read_shapes(values));
  PYC_TRY(const std::int64_t seed, values.integer("--seed", static_cast<std::int64_t>(hpc::kDefaultSeed), 0,
                                                  std::numeric_limits<std::int64_t>::max()));
  options.seed = static_cast<std::uint64_t>(seed);
  const std::int64_t default_seconds = options.silence_limit.count() / 1000;
  PYC_TRY(const std::int64_t seconds, values.integer("--timeout", default_seconds, 1, kMaxTimeoutSeconds));
  options.silence_limit = std::chrono::seconds(seconds);
  return {};
}

}  // namespace pyc::cli
