// The rungs in their order: what serves a call, and what each of them says to it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "compiler/runtime/device.h"
#include "compiler/runtime/plan_cache.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {

// The rungs in the order in which they are asked. This list is the policy: fastest first, and the one that serves every
// machine last.
inline constexpr std::array<pyc_rung, PYC_RUNG_COUNT> kChainOrder = {PYC_RUNG_PROMOTED, PYC_RUNG_CUTLASS,
                                                                     PYC_RUNG_CUBLASLT, PYC_RUNG_CUBLAS, PYC_RUNG_CPU};

// What every rung said, in the order of the chain.
using Explanation = std::array<pyc_rung_report, PYC_RUNG_COUNT>;

class Chain {
 public:
  Chain(const Settings &settings, Workspaces &workspaces);

  // Asks the rungs in order and runs the first plan. A plan that answers UNSUPPORTED has enqueued nothing, and the
  // next rung is asked; every other error ends the call. On success *served holds the plan that ran.
  pyc_status serve(const Problem &problem, PlanCache::Entry *served);

  // Asks every rung and runs nothing: the plans that accepted, best first, and what each rung said. NO_KERNEL if there
  // is none.
  pyc_status plan(const Problem &problem, std::vector<PlanCache::Entry> *plans, Explanation *explanation);

  // Asks every rung and runs nothing. `warm` is the plan that earlier calls of this key use, or nullptr.
  pyc_status explain(const Problem &problem, const PlanCache::Entry *warm, Explanation *explanation);

  // Runs the plan, with workspace of the call's stream if it needs some and the call brings none. WORKSPACE_TOO_SMALL
  // if it needs more than a context gives.
  pyc_status run(const Plan &plan, const Call &call);

 private:
  struct Step {
    pyc_rung id;
    std::unique_ptr<Rung> rung;
    std::string disabled_by;  // the variable that took it out; empty: none
  };

  static Decision decide(Step &step, const Problem &problem);

  Workspaces &workspaces_;
  std::array<Step, PYC_RUNG_COUNT> steps_;
};

// A report of a rung that was refused.
pyc_rung_report refused_report(pyc_rung rung, pyc_reason reason, const std::string &detail);

// The refusals of a call that needs no rung.
Explanation nothing_needed();

}  // namespace pyc::runtime
