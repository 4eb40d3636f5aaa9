// `pyc hpc compare`: two files of evidence, benchmarks or profiles.
#include <fmt/format.h>

#include "base/file_error.h"
#include "base/text.h"
#include "hpc/verbs.h"

namespace pyc::hpc {
namespace {

Status require_common_shapes(const BenchmarkComparison &comparison, const CompareOptions &options) {
  if (!comparison.shapes.empty()) return {};
  const std::string why = comparison.left_out.empty() ? "neither has one" : join(comparison.left_out, "; ");
  return fail(ErrorKind::kInvalid,
              fmt::format("'{}' and '{}' have no shape that both timed: {}", printable_path(options.left),
                          printable_path(options.right), printable(why, 500)),
              "bench both candidates at the same --shape");
}

Result<evidence::Benchmark> read_run(const std::filesystem::path &path) {
  PYC_TRY(evidence::Benchmark benchmark, evidence::read_benchmark(path));
  if (benchmark.header.status != evidence::DocumentStatus::kPlanned) return benchmark;
  return fail(
      ErrorKind::kInvalid, fmt::format("'{}' is a planned benchmark: nothing was timed", printable_path(path)),
      fmt::format("on a GPU, without --dry-run: pyc hpc bench --name {}", printable(benchmark.header.candidate.name)));
}

Result<Comparison> compare_two_benchmarks(const CompareOptions &options) {
  PYC_TRY(const evidence::Benchmark left, read_run(options.left));
  PYC_TRY(const evidence::Benchmark right, read_run(options.right));
  BenchmarkComparison comparison = compare_benchmarks(left, right);
  PYC_CHECK(require_common_shapes(comparison, options));
  return comparison;
}

Status require_run(const evidence::Profile &profile, const std::filesystem::path &path) {
  if (profile.header.status == evidence::DocumentStatus::kCompleted) return {};
  return fail(ErrorKind::kInvalid,
              fmt::format("'{}' holds a profile that shows nothing: {}", printable_path(path),
                          profile.header.error.empty() ? evidence::to_string(profile.header.status)
                                                       : printable(profile.header.error)),
              "profile the candidate again");
}

Result<Comparison> compare_two_profiles(const CompareOptions &options) {
  PYC_TRY(const evidence::Profile left, evidence::read_profile(options.left));
  PYC_TRY(const evidence::Profile right, evidence::read_profile(options.right));
  PYC_CHECK(require_run(left, options.left));
  PYC_CHECK(require_run(right, options.right));
  return compare_profiles(left, right);
}

constexpr const char *kWhatIsTaken =
    "compare takes two paths that 'pyc hpc bench' printed, or two that 'pyc hpc profile' printed";

// A file beside the one that was typed whose name is nearly the same, or what may be typed.
std::string nearest_file(const std::filesystem::path &typed) {
  const std::filesystem::path folder = typed.has_parent_path() ? typed.parent_path() : ".";
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  const auto nearest = nearest_name(typed.filename().string(), names);
  if (!nearest || std::filesystem::exists(typed, error)) return kWhatIsTaken;
  return fmt::format("did you mean '{}'?", printable_path(typed.parent_path() / *nearest));
}

// What the file begins as; whoever reads it whole says what else is wrong with it.
Result<evidence::Kind> kind_of(const std::filesystem::path &path) {
  auto outline = evidence::read_outline(path);
  if (!outline) {
    const std::string hint = outline.error().hint.empty() ? nearest_file(path) : outline.error().hint;
    return fail(outline.error().kind, outline.error().message, hint);
  }
  if (outline->kind != evidence::Kind::kValidation) return outline->kind;
  return fail(ErrorKind::kInvalid, fmt::format("'{}' is a validation", printable_path(path)), kWhatIsTaken);
}

}  // namespace

Result<Comparison> compare(const Context &context, const CompareOptions &options) {
  context.progress({"reading two files", 0, 0});
  PYC_TRY(const evidence::Kind left, kind_of(options.left));
  PYC_TRY(const evidence::Kind right, kind_of(options.right));
  if (left != right) {
    return fail(ErrorKind::kInvalid,
                fmt::format("'{}' is a {}, and '{}' is a {}", options.left.string(), evidence::to_string(left),
                            options.right.string(), evidence::to_string(right)),
                "compare takes two of one kind");
  }
  return left == evidence::Kind::kBenchmark ? compare_two_benchmarks(options) : compare_two_profiles(options);
}

}  // namespace pyc::hpc
