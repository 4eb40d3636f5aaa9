#include "checks.h"
#include "fatal.h"
#include "stopwatch.h"

namespace pyc::harness {
namespace {

std::string name_of(const Shape &shape) {
  return std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
}

// Returns whether every check passed.
bool validate_shape(Session &session, int index, const Shape &shape) {
  bool all_passed = true;
  std::string last = "nothing yet";
  const auto report = [&](const CheckResult &result) {
    all_passed = all_passed && result.status != Status::failed;
    last = result.check + " (" + result.variant + ")";
    report_check(session.events, index, result);
  };
  try {
    ShapeChecks checks(session, shape, report);
    checks.run();
    if (unmet(session.request.requires_, shape).empty()) {
      report_launches(session.events, index,
                      capture_launches(session.candidate.run, checks.packed_call(), session.driver, session.device));
    }
  } catch (Fatal &fatal) {
    if (fatal.kind == "cuda_error") fatal.message += " (shape " + name_of(shape) + ", last check done: " + last + ")";
    throw;
  }
  return all_passed;
}

}  // namespace

void validate(Session &session) {
  for (size_t i = 0; i < session.request.shapes.size(); ++i) {
    const Shape &shape = session.request.shapes[i];
    const int index = static_cast<int>(i);
    const Stopwatch watch;
    report_shape_begin(session.events, index, shape);
    const bool all_passed = validate_shape(session, index, shape);
    report_shape_end(session.events, index, all_passed ? "passed" : "failed", watch.elapsed_ns());
  }
}

}  // namespace pyc::harness
