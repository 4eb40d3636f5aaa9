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

std::string refusal_text(pyc_rung rung, pyc_reason reason, const std::string &detail) {
  std::string text = std::string(rung_name(rung)) + ": " + reason_string(reason);
  return detail.empty() ? text : text + " (" + detail + ")";
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

// This list is the policy: fastest first, and the one that serves every machine last.
Chain::Chain(const Settings &settings, Workspaces &workspaces)
    : steps_{{{PYC_RUNG_PROMOTED, make_rung_promoted(settings, workspaces), {}},
              {PYC_RUNG_CUBLASLT, make_rung_cublas_lt(workspaces), {}},
              {PYC_RUNG_CUBLAS, make_rung_cublas(workspaces), {}},
              {PYC_RUNG_CPU, make_rung_cpu(), {}}}} {
  for (Step &step : steps_) step.disabled_by = disabled_by(settings, step.id);
}

Decision Chain::decide(Step &step, const Problem &problem) {
  if (!step.disabled_by.empty()) return Decision::refuse(PYC_REASON_DISABLED, step.disabled_by);
  if (problem.capturing) return Decision::refuse(PYC_REASON_CAPTURE);
  return step.rung->consider(problem);
}

pyc_status Chain::serve(const Problem &problem, PlanCache::Entry *served) {
  std::string refusals;
  for (Step &step : steps_) {
    Decision decision = decide(step, problem);
    if (decision.error != PYC_STATUS_SUCCESS) return decision.error;
    if (decision.plan != nullptr) {
      const pyc_status status = decision.plan->run(problem.call);
      if (status == PYC_STATUS_SUCCESS) *served = {std::move(decision.plan), step.id};
      if (status != PYC_STATUS_UNSUPPORTED) return status;
      decision = Decision::refuse(PYC_REASON_KERNEL_REFUSED, last_error_detail());
    }
    refusals += (refusals.empty() ? "" : "; ") + refusal_text(step.id, decision.reason, decision.detail);
  }
  return fail(problem.capturing ? PYC_STATUS_CAPTURE_UNSAFE : PYC_STATUS_NO_KERNEL, "every rung refused: %s",
              refusals.c_str());
}

pyc_status Chain::explain(const Problem &problem, const PlanCache::Entry *warm,
                          std::array<pyc_rung_report, PYC_RUNG_COUNT> *reports) {
  bool chosen = false;
  for (Step &step : steps_) {
    pyc_rung_report &report = (*reports)[size_t(step.id)];
    const Decision decision = decide(step, problem);
    if (decision.error != PYC_STATUS_SUCCESS) return decision.error;
    if (warm != nullptr && warm->rung == step.id) {
      report = accepted_report(step.id, PYC_VERDICT_CHOSEN, warm->plan->symbol(), decision.detail);
    } else if (decision.plan == nullptr) {
      report = refused_report(step.id, decision.reason, decision.detail);
    } else if (warm != nullptr && step.id < warm->rung) {
      report = refused_report(step.id, PYC_REASON_KERNEL_REFUSED, "at the first call of this problem");
    } else {
      const bool first = warm == nullptr && !chosen;
      report = accepted_report(step.id, first ? PYC_VERDICT_CHOSEN : PYC_VERDICT_ACCEPTED, decision.plan->symbol(),
                               decision.detail);
    }
    chosen = chosen || report.verdict == PYC_VERDICT_CHOSEN;
  }
  return PYC_STATUS_SUCCESS;
}

}  // namespace pyc::runtime
