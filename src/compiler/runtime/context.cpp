#include "compiler/runtime/context.h"

#include <cstdio>
#include <string>
#include <utility>

#include "compiler/runtime/explanation.h"
#include "compiler/runtime/quick_answer.h"

namespace pyc::runtime {

Context::Context(const Device &device, const Settings &settings)
    : device_(device), settings_(settings), chain_(settings, workspaces_) {}

pyc_status Context::gemm(const Call &call) {
  const DeviceGuard guard(device_);
  if (guard.status() != PYC_STATUS_SUCCESS) return guard.status();
  if (needs_no_kernel(call)) {
    counters_.count_quick_answer();
    return answer_without_kernel(call, device_.is_host());
  }
  const PlanKey key = plan_key(call);
  PlanCache::Pinned pinned = plans_.find(key);
  counters_.count_plan(pinned.entry != nullptr);
  if (pinned.entry != nullptr) return run_warm(call, std::move(pinned));
  pinned.lock.unlock();
  return run_first(call, key);
}

pyc_status Context::run_warm(const Call &call, PlanCache::Pinned pinned) {
  const pyc_rung rung = pinned.entry->rung;
  pyc_status status;
  if (device_.is_host()) {  // a host plan computes: it must not hold the lock for so long
    const std::shared_ptr<const Plan> plan = pinned.entry->plan;
    pinned.lock.unlock();
    status = plan->run(call);
  } else {
    status = pinned.entry->plan->run(call);
  }
  if (status == PYC_STATUS_SUCCESS) counters_.count_served(rung);
  return status;
}

pyc_status Context::run_first(const Call &call, const PlanKey &key) {
  Problem problem;
  if (pyc_status status = describe(call, &problem)) return status;
  if (!device_.is_host() && !problem.capturing) {
    if (pyc_status status = check_pointers(device_, call)) return status;
  }
  PlanCache::Entry served;
  const pyc_status status = chain_.serve(problem, &served);
  if (status == PYC_STATUS_SUCCESS) {
    counters_.count_served(served.rung);
    plans_.insert(key, std::move(served));
  }
  if (settings_.verbose_dispatch) print_explanation(call);
  return status;
}

pyc_status Context::describe(const Call &call, Problem *problem) const {
  bool capturing = false;
  if (!device_.is_host()) {
    if (pyc_status status = is_capturing(call.stream, &capturing)) return status;
  }
  *problem = make_problem(call, device_.arch, capturing);
  return PYC_STATUS_SUCCESS;
}

pyc_status Context::explain(const Call &call, Explanation *explanation) {
  if (needs_no_kernel(call)) {
    for (size_t i = 0; i < PYC_RUNG_COUNT; ++i) {
      (*explanation)[i] = refused_report(pyc_rung(i), PYC_REASON_NOT_NEEDED, {});
    }
    return PYC_STATUS_SUCCESS;
  }
  const DeviceGuard guard(device_);
  if (guard.status() != PYC_STATUS_SUCCESS) return guard.status();
  Problem problem;
  if (pyc_status status = describe(call, &problem)) return status;
  PlanCache::Entry warm;
  {
    const PlanCache::Pinned pinned = plans_.find(plan_key(call));
    if (pinned.entry != nullptr) warm = *pinned.entry;
  }
  return chain_.explain(problem, warm.plan ? &warm : nullptr, explanation);
}

void Context::print_explanation(const Call &call) {
  Explanation explanation;
  if (explain(call, &explanation) != PYC_STATUS_SUCCESS) return;
  const pyc_gemm_desc &d = call.desc;
  const std::string selector = make_problem(call, device_.arch, false).selector();
  std::fprintf(stderr, "pyc: %s %lldx%lldx%lld\n%s", selector.c_str(), (long long)d.m, (long long)d.n, (long long)d.k,
               explanation_text(explanation).c_str());
}

}  // namespace pyc::runtime
