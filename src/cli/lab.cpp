#include "cli/lab.h"

#include <filesystem>
#include <fmt/format.h>

#include "cli/run_flags.h"

namespace pyc::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxRepeats = 1'000'000;

void take_path(const Values &values, const char *flag, fs::path &place) {
  std::error_code error;
  if (values.has(flag)) place = fs::absolute(values.text(flag), error).lexically_normal();
}

fs::path this_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program;
}

}  // namespace

lab::Context lab_context(const Invocation &invocation) {
  const hpc::Context &given = invocation.context;
  const Values &values = invocation.values;
  lab::Context context;
  context.workspace = given.workspace;
  context.environment = given.environment;
  context.nvcc = given.nvcc;
  context.program = this_program();
  context.tool = given.tool;
  context.progress = given.progress;
  context.now = given.now;
  context.paths = lab::default_paths(given.workspace);
  take_path(values, "--manifest", context.paths.manifest);
  take_path(values, "--baseline-manifest", context.paths.baselines);
  take_path(values, "--task-dir", context.paths.tasks);
  take_path(values, "--task-run-dir", context.paths.runs);
  take_path(values, "--build-dir", context.paths.build);
  take_path(values, "--results-dir", context.paths.results);
  return context;
}

Status read_repeats(const Values &values, int &repeats, int &warmup) {
  PYC_TRY(const std::int64_t runs, values.integer("--repeats", repeats, 1, kMaxRepeats));
  PYC_TRY(const std::int64_t before, values.integer("--warmup", warmup, 0, kMaxRepeats));
  repeats = static_cast<int>(runs);
  warmup = static_cast<int>(before);
  return {};
}

Status read_bench_flags(const Values &values, const char *default_phase, lab::BenchOptions &options) {
  options.phase = values.has("--phase") ? values.text("--phase") : default_phase;
  PYC_TRY(options.time_limit, read_timeout(values, options.time_limit));
  return read_repeats(values, options.repeats, options.warmup);
}

std::string milliseconds(double time_ms) { return fmt::format("{:.3f} ms", time_ms); }

std::string figures(const std::optional<double> &best_ms, const std::optional<double> &gflops) {
  std::string text = best_ms ? fmt::format("best {:.4f} ms", *best_ms) : "";
  if (gflops) text += fmt::format("{}{:.1f} GFLOP/s", text.empty() ? "" : ", ", *gflops);
  return text;
}

}  // namespace pyc::cli
