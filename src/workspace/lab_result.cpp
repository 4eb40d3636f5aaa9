#include "workspace/lab_result.h"

#include <cmath>
#include <fmt/format.h>

#include "base/text.h"
#include "workspace/lab_files.h"

namespace pyc::workspace {
namespace {

using json::Json;
using json::ObjectReader;

Json number(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }

Json times_json(const LabTimes &times) {
  return {{"mean_ms", times.mean_ms},      {"median_ms", times.median_ms}, {"p95_ms", times.p95_ms},
          {"min_ms", times.min_ms},        {"max_ms", times.max_ms},       {"stdev_ms", times.stdev_ms},
          {"samples_ms", times.samples_ms}};
}

Json phase_json(const LabPhase &phase) {
  Json metrics = Json::object();
  for (const auto &[key, value] : phase.metrics) metrics[key] = value;
  return {{"cmd", phase.command},
          {"stats", times_json(phase.times)},
          {"best_ms", number(phase.best_ms)},
          {"gflops", number(phase.gflops)},
          {"observed_metrics", metrics},
          {"stdout_tail", phase.stdout_tail},
          {"stderr_tail", phase.stderr_tail}};
}

Json failure_json(const LabFailure &failure) {
  return {{"phase", failure.phase},
          {"cmd", failure.command},
          {"reason", failure.reason},
          {"stdout_tail", failure.stdout_tail},
          {"stderr_tail", failure.stderr_tail}};
}

void put_outcome(Json &entry, const LabKernelResult &result) {
  entry["status"] = result.status;
  entry["compile"] = result.compile ? phase_json(*result.compile) : Json(nullptr);
  entry["run"] = result.run ? phase_json(*result.run) : Json(nullptr);
  entry["failure"] = result.failure ? failure_json(*result.failure) : Json(nullptr);
}

Json meta_json(const LabResult &result) {
  return {{"timestamp_utc", result.created_utc},
          {"label", result.label},
          {"manifest", result.manifest},
          {"phase", result.phase},
          {"repeats", result.repeats},
          {"warmup", result.warmup},
          {"dry_run", result.dry_run},
          {"filters", {{"tag", result.tags}, {"name", result.names}}},
          {"host", result.host},
          {"gpu", result.gpu},
          {"nvcc", {{"path", result.nvcc_path}, {"version", result.nvcc_version}}},
          {"tool", {{"version", result.tool_version}, {"git", result.tool_git}}}};
}

bool has_object(ObjectReader &fields, const char *key) { return fields.has(key) && !fields.is_null(key); }

std::optional<double> positive(ObjectReader &fields, const char *key) {
  if (!fields.has(key) || fields.is_null(key)) return std::nullopt;
  const double value = fields.number(key, 0, HUGE_VAL);
  return value > 0 ? std::optional(value) : std::nullopt;
}

// What the kernel printed: our own fields, or the metrics of the earlier tool.
void read_figures(ObjectReader &fields, LabTiming &timing) {
  timing.best_ms = positive(fields, "best_ms");
  timing.gflops = positive(fields, "gflops");
  if (!has_object(fields, "observed_metrics")) return;
  ObjectReader metrics = fields.object("observed_metrics");
  if (!timing.best_ms) timing.best_ms = positive(metrics, "best_ms");
  if (!timing.gflops) timing.gflops = positive(metrics, "gflops");
}

void add_timing(LabTimings &timings, const std::string &kernel, const std::string &phase, ObjectReader fields) {
  LabTiming timing{kernel, phase, 0, {}, {}, {}};
  ObjectReader stats = fields.object("stats");
  timing.mean_ms = stats.number("mean_ms", 0, HUGE_VAL);
  if (stats.has("samples_ms")) timing.samples_ms = stats.numbers("samples_ms");
  read_figures(fields, timing);
  timings.rows.push_back(std::move(timing));
}

void add_phases(LabTimings &timings, const std::string &kernel, ObjectReader &fields) {
  for (const char *phase : {"compile", "run"}) {
    if (has_object(fields, phase)) add_timing(timings, kernel, phase, fields.object(phase));
  }
}

void add_suite(LabTimings &timings, ObjectReader &fields) {
  for (ObjectReader &entry : fields.objects("kernels")) {
    ObjectReader kernel = entry.object("kernel");
    const std::string name = kernel.string("name");
    if (has_object(entry, "result")) {  // as the earlier tool wrote it
      ObjectReader result = entry.object("result");
      add_phases(timings, name, result);
    } else {
      add_phases(timings, name, entry);
    }
  }
}

void read_any(LabTimings &timings, ObjectReader &fields) {
  if (fields.has("kernels")) {
    timings.kind = "suite";
    return add_suite(timings, fields);
  }
  if (fields.has("stats")) {
    timings.kind = "command";
    ObjectReader meta = fields.object("meta");
    return add_timing(timings, meta.string("label"), "command", fields);
  }
  timings.kind = "bench";
  ObjectReader kernel = fields.object("kernel");
  add_phases(timings, kernel.string("name"), fields);
}

Result<LabTimings> parse(const std::string &text, const std::string &file) {
  PYC_TRY(const Json document, json::parse_strict(text, file));
  ObjectReader fields(document, file);
  if (fields.has("schema")) fields.one_of("schema", {kLabResultSchema});
  LabTimings timings;
  read_any(timings, fields);
  PYC_CHECK(fields.status());
  return timings;
}

}  // namespace

std::string to_json(const LabResult &result) {
  Json document = {{"schema", kLabResultSchema}, {"kind", result.kind}, {"meta", meta_json(result)}};
  if (result.kind == "command" && result.command) document.update(phase_json(*result.command));
  if (result.kind == "bench" && !result.kernels.empty()) {
    document["kernel"] = to_value(result.kernels.front().kernel);
    put_outcome(document, result.kernels.front());
  }
  if (result.kind == "suite") {
    Json &list = document["kernels"] = Json::array();
    for (const LabKernelResult &kernel : result.kernels) {
      list.push_back({{"kernel", to_value(kernel.kernel)}});
      put_outcome(list.back(), kernel);
    }
  }
  return json::to_text(document);
}

Result<LabTimings> read_lab_timings(const std::filesystem::path &path) {
  PYC_TRY(const std::string text, read_lab_file(path, "result", "give the path that 'pyc lab bench' printed"));
  return parse_as_schema(parse(text, path.string()));
}

}  // namespace pyc::workspace
