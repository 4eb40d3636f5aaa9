#include "checks.h"
#include "fatal.h"
#include "launches.h"
#include "stopwatch.h"

namespace pyc::harness {
namespace {

std::string name_of(const Shape &shape) {
  return std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
}

// A crash ends the run, but not before it has been put down to the check that provoked it.
void report_crash(Session &session, int index, const Shape &shape, const Rig &rig, const Stopwatch &watch,
                  Fatal &fatal) {
  if (fatal.kind != "cuda_error") return;
  report_check(session.events, index, {rig.check(), rig.variant(), Status::failed, fatal.message, {}, {}});
  fatal.message += " (shape " + name_of(shape) + ", check " + rig.check() + ")";
  report_shape_end(session.events, index, "failed", watch.elapsed_ns());
}

void validate_shape(Session &session, int index, const Shape &shape) {
  const Stopwatch watch;
  bool all_passed = true;
  Rig rig(session, shape, [&](const CheckResult &result) {
    all_passed = all_passed && result.status != Status::failed;
    report_check(session.events, index, result);
  });
  try {
    run_checks(rig, shape, session.request.depth);
    if (unmet(session.request.requires_, shape).empty()) {
      report_launches(session.events, index,
                      capture_launches(session.candidate.run, ready_call(rig), session.driver, session.device));
    }
  } catch (Fatal &fatal) {
    report_crash(session, index, shape, rig, watch, fatal);
    throw;
  }
  report_shape_end(session.events, index, all_passed ? "passed" : "failed", watch.elapsed_ns());
}

}  // namespace

void validate(Session &session) {
  for (size_t i = 0; i < session.request.shapes.size(); ++i) {
    const Shape &shape = session.request.shapes[i];
    report_shape_begin(session.events, static_cast<int>(i), shape);
    validate_shape(session, static_cast<int>(i), shape);
  }
}

}  // namespace pyc::harness
