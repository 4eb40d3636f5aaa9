#include "reports.h"

#include <cmath>

namespace pyc::harness {
namespace {

const char *status_name(Status status) {
  return status == Status::passed ? "passed" : status == Status::failed ? "failed" : "skipped";
}

void put_compared(Line &line, const Compared &compared) {
  const Tally &tally = compared.tally;
  line.put("max_abs_error", tally.max_abs_error).put("max_rel_error", tally.max_rel_error);
  if (compared.has_bound) {
    line.put("normwise_error", compared.normwise_error).put("normwise_bound", compared.normwise_bound);
  }
  line.put("violations", tally.violations).put("elements", tally.elements);
  if (tally.violations == 0) return;
  line.begin_object("first").put("row", tally.first / compared.columns).put("column", tally.first % compared.columns);
  line.put("expected", number_text(tally.first_expected)).put("got", number_text(tally.first_got));
  line.put("error", number_text(std::fabs(tally.first_got - tally.first_expected))).end_object();
}

void put_result(Line &line, const CheckResult &result) {
  line.put("check", result.check).put("variant", result.variant).put("status", status_name(result.status));
  line.put("reason", result.reason);
  if (result.compared) put_compared(line, *result.compared);
  if (result.deterministic) line.put("deterministic", *result.deterministic);
}

}  // namespace

Compared compared_with_bound(const Tally &tally, const Shape &shape, DType dtype, double alpha, double beta) {
  return Compared{tally, shape.n, true, normwise_error(tally, alpha, beta),
                  normwise_bound(dtype, shape.m, shape.n, shape.k, alpha, beta)};
}

bool right(const Compared &compared) {
  return compared.tally.violations == 0 && (!compared.has_bound || compared.normwise_error <= compared.normwise_bound);
}

std::string what_is_wrong(const Compared &compared) {
  if (compared.tally.violations) {
    return std::to_string(compared.tally.violations) + " of " + std::to_string(compared.tally.elements) +
           " elements are outside the tolerance";
  }
  return "the normwise error " + number_text(compared.normwise_error) + " exceeds " +
         number_text(compared.normwise_bound);
}

CheckResult judge(const char *check, const std::string &variant, const Compared &compared) {
  if (right(compared)) return {check, variant, Status::passed, "", compared, {}};
  return {check, variant, Status::failed, what_is_wrong(compared), compared, {}};
}

void report_shape_begin(Events &events, int index, const Shape &shape) {
  events.send(Line("shape_begin").put("index", index).put("m", shape.m).put("n", shape.n).put("k", shape.k));
}

void report_shape_end(Events &events, int index, const char *status, int64_t elapsed_ns) {
  events.send(Line("shape_end").put("index", index).put("status", status).put("elapsed_ns", elapsed_ns));
}

void report_launches(Events &events, int index, const Launches &launches) {
  Line line("launches");
  line.put("index", index).put("capture", launches.capture);
  line.put("workspace_bytes", static_cast<int64_t>(launches.workspace_bytes)).begin_list("kernels");
  for (const Launch &launch : launches.kernels) {
    line.begin_item().put("name", launch.name).put_list("grid", launch.grid).put_list("block", launch.block);
    line.put("registers_per_thread", launch.registers_per_thread);
    line.put("static_shared_bytes", launch.static_shared_bytes);
    line.put("dynamic_shared_bytes", launch.dynamic_shared_bytes).put("local_bytes", launch.local_bytes);
    line.put("blocks_per_sm", launch.blocks_per_sm).put("occupancy", launch.occupancy).end_object();
  }
  line.end_list();
  events.send(line);
}

void report_check(Events &events, int index, const CheckResult &result) {
  Line line("check");
  line.put("index", index);
  put_result(line, result);
  events.send(line);
}

void report_output_check(Events &events, int index, int arm, const CheckResult &result) {
  Line line("output_check");
  line.put("index", index).put("arm", arm);
  put_result(line, result);
  events.send(line);
}

}  // namespace pyc::harness
