#include "compiler/runtime/chain.h"

#include <cstdio>
#include <utility>

#include "compiler/runtime/errors.h"
#include "compiler/runtime/names.h"

namespace pyc::runtime {
namespace {

std::string disabled_by(const Settings &settings, pyc_rung rung) {
  if (!settings.forced_symbol.empty() && rung != PYC_RUNG_PROMOTED) {
    return "PYC_PROMOTED_GEMM_SYMBOL=" + settings.forced_symbol;
  }
  return settings.disabled[size_t(rung)] ? "PYC_DISABLE_RUNGS" : "";
}

std::unique_ptr<Rung> make_rung(pyc_rung rung, const Settings &settings) {
  switch (rung) {
    case PYC_RUNG_PROMOTED: return make_rung_promoted(settings);
    case PYC_RUNG_CUTLASS: return make_rung_cutlass();
    case PYC_RUNG_CUBLASLT: return make_rung_cublas_lt(settings);
    case PYC_RUNG_CUBLAS: return make_rung_cublas(settings);
    case PYC_RUNG_CPU: return make_rung_cpu(settings);
  }
  return nullptr;
}

void add_refusal(pyc_rung rung, pyc_reason reason, const std::string &detail, std::string *refusals) {
  *refusals += std::string(refusals->empty() ? "" : "; ") + rung_name(rung) + ": " + reason_string(reason);
  if (!detail.empty()) *refusals += " (" + detail + ")";
}

pyc_status every_rung_refused(const Problem &problem, const std::string &refusals) {
  return fail(problem.capturing ? PYC_STATUS_CAPTURE_UNSAFE : PYC_STATUS_NO_KERNEL, "every rung refused: %s",
              refusals.c_str());
}

pyc_rung_report accepted_report(pyc_rung rung, pyc_verdict verdict, const char *symbol, const std::string &detail) {
  pyc_rung_report report = {sizeof(pyc_rung_report), rung, verdict, PYC_REASON_NONE, {}, {}};
  std::snprintf(report.symbol, sizeof report.symbol, "%s", symbol);
  std::snprintf(report.detail, sizeof report.detail, "%s", detail.c_str());
  return report;
}

}  // namespace

pyc_rung_report refused_report(pyc_rung rung, pyc_reason reason, const std::string &detail) {
  pyc_rung_report report = {sizeof(pyc_rung_report), rung, PYC_VERDICT_REFUSED, reason, {}, {}};
  std::snprintf(report.detail, sizeof report.detail, "%s", detail.c_str());
  return report;
}

Explanation nothing_needed() {
  Explanation explanation;
  for (size_t i = 0; i < explanation.size(); ++i) {
    explanation[i] = refused_report(kChainOrder[i], PYC_REASON_NOT_NEEDED, {});
  }
  return explanation;
}

Chain::Chain(const Settings &settings, Workspaces &workspaces) : workspaces_(workspaces) {
  for (size_t i = 0; i < steps_.size(); ++i) {
    const pyc_rung id = kChainOrder[i];
    steps_[i] = {id, make_rung(id, settings), disabled_by(settings, id)};
  }
}

Decision Chain::decide(Step &step, const Problem &problem) {
  if (!step.disabled_by.empty()) return Decision::refuse(PYC_REASON_DISABLED, step.disabled_by);
  if (problem.capturing) return Decision::refuse(PYC_REASON_CAPTURE);
  return step.rung->consider(problem);
}

pyc_status Chain::run(const Plan &plan, const Call &call) {
  const size_t needed = plan.workspace_bytes();
  if (needed == 0 || call.args.workspace != nullptr) return plan.run(call);
  if (needed > Workspaces::kBytes) {
    return fail(PYC_STATUS_WORKSPACE_TOO_SMALL, "workspace is NULL: the plan needs %zu bytes, the context gives %zu",
                needed, Workspaces::kBytes);
  }
  Call with_workspace = call;
  if (pyc_status status = workspaces_.acquire(call.stream, &with_workspace.args.workspace)) return status;
  with_workspace.args.workspace_bytes = Workspaces::kBytes;
  return plan.run(with_workspace);
}

pyc_status Chain::serve(const Problem &problem, PlanCache::Entry *served) {
  std::string refusals;
  for (Step &step : steps_) {
    Decision decision = decide(step, problem);
    if (decision.error != PYC_STATUS_SUCCESS) return decision.error;
    if (decision.plan != nullptr) {
      const pyc_status status = run(*decision.plan, problem.call);
      if (status == PYC_STATUS_SUCCESS) *served = {std::move(decision.plan), step.id, std::move(decision.detail)};
      if (status != PYC_STATUS_UNSUPPORTED) return status;
      decision = Decision::refuse(PYC_REASON_KERNEL_REFUSED, last_error_detail());
    }
    add_refusal(step.id, decision.reason, decision.detail, &refusals);
  }
  return every_rung_refused(problem, refusals);
}

pyc_status Chain::plan(const Problem &problem, std::vector<PlanCache::Entry> *plans, Explanation *explanation) {
  std::string refusals;
  for (size_t i = 0; i < steps_.size(); ++i) {
    Step &step = steps_[i];
    Decision decision = decide(step, problem);
    if (decision.error != PYC_STATUS_SUCCESS) return decision.error;
    if (decision.plan == nullptr) {
      (*explanation)[i] = refused_report(step.id, decision.reason, decision.detail);
      add_refusal(step.id, decision.reason, decision.detail, &refusals);
      continue;
    }
    const pyc_verdict verdict = plans->empty() ? PYC_VERDICT_CHOSEN : PYC_VERDICT_ACCEPTED;
    (*explanation)[i] = accepted_report(step.id, verdict, decision.plan->symbol(), decision.detail);
    plans->push_back({std::move(decision.plan), step.id, std::move(decision.detail)});
  }
  return plans->empty() ? every_rung_refused(problem, refusals) : PYC_STATUS_SUCCESS;
}

pyc_status Chain::explain(const Problem &problem, const PlanCache::Entry *warm, Explanation *explanation) {
  bool chosen = false;  // by an earlier step, or by this one
  for (size_t i = 0; i < steps_.size(); ++i) {
    Step &step = steps_[i];
    pyc_rung_report &report = (*explanation)[i];
    const Decision decision = decide(step, problem);
    if (decision.error != PYC_STATUS_SUCCESS) return decision.error;
    if (warm != nullptr && warm->rung == step.id) {
      report = accepted_report(step.id, PYC_VERDICT_CHOSEN, warm->plan->symbol(), warm->detail);
    } else if (decision.plan == nullptr) {
      report = refused_report(step.id, decision.reason, decision.detail);
    } else if (warm != nullptr && !chosen) {
      report = refused_report(step.id, PYC_REASON_KERNEL_REFUSED, "at the first call of this problem");
    } else {
      report = accepted_report(step.id, chosen ? PYC_VERDICT_ACCEPTED : PYC_VERDICT_CHOSEN, decision.plan->symbol(),
                               decision.detail);
    }
    chosen = chosen || report.verdict == PYC_VERDICT_CHOSEN;
  }
  return PYC_STATUS_SUCCESS;
}

}  // namespace pyc::runtime
