#include "compiler/runtime/context.h"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "compiler/runtime/errors.h"
#include "compiler/runtime/explanation.h"
#include "compiler/runtime/quick_answer.h"
#include "compiler/runtime/scratch.h"

namespace pyc::runtime {

Context::Context(const Device &device, const Settings &settings)
    : device_(device),
      settings_(settings),
      chain_(settings, workspaces_),
      known_(device.is_host() ? nullptr : std::make_unique<KnownToCuda>()) {}

pyc_status Context::gemm(const Call &call) {
  const DeviceGuard guard(device_);
  if (guard.status() != PYC_STATUS_SUCCESS) return guard.status();
  if (pyc_status status = check_reach(call)) return status;
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
    status = chain_.run(*plan, call);
  } else {
    status = chain_.run(*pinned.entry->plan, call);
  }
  if (status == PYC_STATUS_SUCCESS) counters_.count_served(rung);
  return status;
}

pyc_status Context::run_first(const Call &call, const PlanKey &key) {
  Problem problem;
  if (pyc_status status = describe(call, &problem)) return status;
  problem.may_measure = true;
  // What is loaded and allocated here must not end a capture that another thread has under way.
  const RelaxedCapture relaxed(!device_.is_host());
  PlanCache::Entry served;
  const pyc_status status = chain_.serve(problem, &served);
  if (status == PYC_STATUS_SUCCESS) {
    counters_.count_served(served.rung);
    plans_.insert(key, std::move(served));
  }
  if (settings_.verbose_dispatch) {
    Explanation explanation;
    const std::string detail = last_error_detail();  // of the call, which the explanation's own must not replace
    if (explain(call, &explanation) == PYC_STATUS_SUCCESS) print_explanation(problem, explanation);
    if (status != PYC_STATUS_SUCCESS) fail(status, "%s", detail.c_str());
  }
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
  const DeviceGuard guard(device_);
  if (guard.status() != PYC_STATUS_SUCCESS) return guard.status();
  if (pyc_status status = check_reach(call)) return status;
  if (needs_no_kernel(call)) {
    *explanation = nothing_needed();
    return PYC_STATUS_SUCCESS;
  }
  Problem problem;
  if (pyc_status status = describe(call, &problem)) return status;
  const RelaxedCapture relaxed(!device_.is_host());
  PlanCache::Entry warm;
  {
    const PlanCache::Pinned pinned = plans_.find(plan_key(call));
    if (pinned.entry != nullptr) warm = *pinned.entry;
  }
  return chain_.explain(problem, warm.plan ? &warm : nullptr, explanation);
}

pyc_status Context::warm_up(const Problem &problem, void *stream) {
  if (needs_no_kernel(problem.call)) return PYC_STATUS_SUCCESS;
  const RelaxedCapture relaxed(!device_.is_host());
  std::vector<PlanCache::Entry> plans;
  Explanation explanation;
  if (pyc_status status = chain_.plan(problem, &plans, &explanation)) return status;
  pyc_status status = PYC_STATUS_UNSUPPORTED;
  for (PlanCache::Entry &entry : plans) {
    status = run_on_scratch(*entry.plan, problem, stream);
    if (status == PYC_STATUS_UNSUPPORTED) continue;
    if (status == PYC_STATUS_SUCCESS) plans_.insert(plan_key(problem.call), std::move(entry));
    break;
  }
  if (settings_.verbose_dispatch) print_explanation(problem, explanation);
  return status == PYC_STATUS_UNSUPPORTED ? PYC_STATUS_NO_KERNEL : status;
}

// The run takes the workspace that later calls on the stream will use, so that it is there; not so where they must
// bring more than that themselves.
pyc_status Context::run_on_scratch(const Plan &plan, const Problem &problem, void *stream) {
  if (device_.is_host()) return PYC_STATUS_SUCCESS;
  if (pyc_status status = check_stream_once(stream)) return status;
  bool capturing = false;
  if (pyc_status status = is_capturing(stream, &capturing)) return status;
  if (capturing) return fail(PYC_STATUS_CAPTURE_UNSAFE, "the stream is being captured: warm up before");
  const RelaxedCapture relaxed(!device_.is_host());
  Scratch scratch;
  const size_t needed_bytes = plan.workspace_bytes();
  const size_t brought_bytes = needed_bytes > Workspaces::kBytes ? needed_bytes : 0;
  if (pyc_status status = scratch.allocate(problem, brought_bytes, stream)) return status;
  if (pyc_status status = chain_.run(plan, scratch.call(problem, stream))) return status;
  return synchronize(stream);
}

pyc_status Context::check_reach(const Call &call) {
  if (device_.is_host() || touches_nothing(call)) return PYC_STATUS_SUCCESS;
  if (!needs_no_kernel(call)) {
    if (pyc_status status = check_pointer_once("a", call.args.a)) return status;
    if (pyc_status status = check_pointer_once("b", call.args.b)) return status;
    if (call.args.workspace != nullptr) {
      if (pyc_status status = check_pointer_once("workspace", call.args.workspace)) return status;
    }
  }
  if (pyc_status status = check_pointer_once("c", call.args.c)) return status;
  return check_stream_once(call.stream);
}

pyc_status Context::check_new_pointer(const char *name, const void *pointer) {
  const RelaxedCapture relaxed(!device_.is_host());
  const pyc_status status = check_pointer(device_, name, pointer);
  if (status == PYC_STATUS_SUCCESS) known_->pointers.add(pointer);
  return status;
}

pyc_status Context::check_new_stream(void *stream) {
  bool capturing = false;
  if (pyc_status status = is_capturing(stream, &capturing)) return status;
  if (capturing) return PYC_STATUS_SUCCESS;  // the capture might not survive the question
  const pyc_status status = check_stream(device_, stream);
  if (status == PYC_STATUS_SUCCESS) known_->streams.add(stream);
  return status;
}

void Context::print_explanation(const Problem &problem, const Explanation &explanation) const {
  const pyc_gemm_desc &d = problem.desc();
  const std::string batch = problem.is_batch() ? " batch " + std::to_string(d.batch_count) : "";
  std::fprintf(stderr, "pyc: %s %lldx%lldx%lld%s\n%s", problem.selector().c_str(), (long long)d.m, (long long)d.n,
               (long long)d.k, batch.c_str(), explanation_text(explanation).c_str());
}

}  // namespace pyc::runtime
