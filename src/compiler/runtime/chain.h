// The rungs in their order: what serves a call, and what each of them says to it.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "compiler/runtime/device.h"
#include "compiler/runtime/plan_cache.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {

class Chain {
 public:
  Chain(const Settings &settings, Workspaces &workspaces);

  // Asks the rungs in order and runs the first plan. A plan that answers UNSUPPORTED has enqueued nothing, and the
  // next rung is asked; every other error ends the call. On success *served holds the plan that ran.
  pyc_status serve(const Problem &problem, PlanCache::Entry *served);

  // Asks every rung and runs nothing. `warm` is the plan that earlier calls of this key use, or nullptr.
  pyc_status explain(const Problem &problem, const PlanCache::Entry *warm,
                     std::array<pyc_rung_report, PYC_RUNG_COUNT> *reports);

 private:
  struct Step {
    pyc_rung id;
    std::unique_ptr<Rung> rung;
    std::string disabled_by;  // the variable that took it out; empty: none
  };

  static Decision decide(Step &step, const Problem &problem);

  std::array<Step, PYC_RUNG_COUNT> steps_;
};

// A report of a rung that was refused.
pyc_rung_report refused_report(pyc_rung rung, pyc_reason reason, const std::string &detail);

}  // namespace pyc::runtime
