#include "compiler/runtime/gemm_plan.h"

#include <utility>

#include "compiler/runtime/errors.h"
#include "compiler/runtime/quick_answer.h"

namespace pyc::runtime {
namespace {

constexpr uint32_t kWorkspaceAlignment = 256;

void *stand_in(uint32_t alignment) { return reinterpret_cast<void *>(uintptr_t(alignment)); }

}  // namespace

Problem promised_problem(const Device &device, const pyc_gemm_desc &desc, const pyc_gemm_plan_options &options) {
  const Call call = make_call(desc, 1.0f, stand_in(options.align_a), stand_in(options.align_b), 0.0f,
                              stand_in(options.align_c), nullptr);
  Problem problem = make_problem(call, device.arch, false);
  problem.max_workspace_bytes = options.max_workspace_bytes;
  problem.may_measure = true;
  return problem;
}

GemmPlan::GemmPlan(std::shared_ptr<Context> context, const pyc_gemm_desc &desc, const pyc_gemm_plan_options &options)
    : context_(std::move(context)),
      options_(options),
      problem_(promised_problem(context_->device(), desc, options)),
      explanation_(nothing_needed()) {}

GemmPlan::~GemmPlan() = default;

// What comes after the first rung that accepts stays only if it is content with the workspace that the first one asks
// the caller for.
pyc_status GemmPlan::choose() {
  if (needs_no_kernel(problem_.call)) return PYC_STATUS_SUCCESS;
  const DeviceGuard guard(context_->device());
  if (guard.status() != PYC_STATUS_SUCCESS) return guard.status();
  const RelaxedCapture relaxed(!context_->device().is_host());  // libraries that are opened here allocate
  const pyc_status status = context_->chain().plan(problem_, &plans_, &explanation_);
  if (context_->settings().verbose_dispatch) context_->print_explanation(problem_, explanation_);
  if (status != PYC_STATUS_SUCCESS) return status;
  workspace_bytes_ = plans_.front().plan->workspace_bytes();
  std::erase_if(plans_, [this](const auto &entry) { return entry.plan->workspace_bytes() > workspace_bytes_; });
  return PYC_STATUS_SUCCESS;
}

pyc_status GemmPlan::run(const Call &call) const {
  if (pyc_status status = check_promises(call)) return status;
  if (pyc_status status = check_workspace(call)) return status;
  const DeviceGuard guard(context_->device());
  if (guard.status() != PYC_STATUS_SUCCESS) return guard.status();
  if (pyc_status status = context_->check_reach(call)) return status;
  if (needs_no_kernel(call)) {
    context_->counters().count_quick_answer();
    return answer_without_kernel(call, context_->device().is_host());
  }
  if (pyc_status status = check_warm(call.stream)) return status;
  const pyc_status status = run_first_that_serves(call);
  if (status == PYC_STATUS_SUCCESS) note_warm();
  return status;
}

pyc_status GemmPlan::warm_up(void *stream) const {
  if (plans_.empty()) return PYC_STATUS_SUCCESS;
  const DeviceGuard guard(context_->device());
  if (guard.status() != PYC_STATUS_SUCCESS) return guard.status();
  for (const PlanCache::Entry &entry : plans_) {
    const pyc_status status = context_->run_on_scratch(*entry.plan, problem_, stream);
    if (status == PYC_STATUS_SUCCESS) note_warm();
    if (status != PYC_STATUS_UNSUPPORTED) return status;
  }
  return PYC_STATUS_NO_KERNEL;
}

pyc_status GemmPlan::check_promises(const Call &call) const {
  const struct {
    const char *name;
    const void *pointer;
    uint32_t promised;
  } operands[] = {
      {"a", call.args.a, options_.align_a}, {"b", call.args.b, options_.align_b}, {"c", call.args.c, options_.align_c}};
  for (const auto &operand : operands) {
    if (is_multiple(operand.pointer, operand.promised)) continue;
    return fail(PYC_STATUS_MISALIGNED, "%s is %p: the plan was made for multiples of %u bytes (options.align_%s)",
                operand.name, operand.pointer, operand.promised, operand.name);
  }
  return PYC_STATUS_SUCCESS;
}

pyc_status GemmPlan::check_workspace(const Call &call) const {
  const void *const workspace = call.args.workspace;
  const size_t given = call.args.workspace_bytes;
  if (workspace == nullptr && given > 0) {
    return fail(PYC_STATUS_INVALID_VALUE, "workspace is NULL, and workspace_bytes is %zu", given);
  }
  if (workspace == nullptr) return PYC_STATUS_SUCCESS;  // the chain gives it, or says that it cannot
  if (given < workspace_bytes_) {
    return fail(PYC_STATUS_WORKSPACE_TOO_SMALL, "workspace_bytes is %zu: the plan needs %zu", given, workspace_bytes_);
  }
  if (is_multiple(workspace, kWorkspaceAlignment)) return PYC_STATUS_SUCCESS;
  return fail(PYC_STATUS_MISALIGNED, "workspace is %p: expected a multiple of %u bytes", workspace,
              kWorkspaceAlignment);
}

// Written once, so that threads that run the plan do not take its cache line from one another.
void GemmPlan::note_warm() const {
  if (!warm_.load(std::memory_order_relaxed)) warm_.store(true, std::memory_order_relaxed);
}

// The first run of a kernel loads its code, which a capture would not survive.
pyc_status GemmPlan::check_warm(void *stream) const {
  if (context_->device().is_host() || warm_.load(std::memory_order_relaxed)) return PYC_STATUS_SUCCESS;
  bool capturing = false;
  if (pyc_status status = is_capturing(stream, &capturing)) return status;
  if (!capturing) return PYC_STATUS_SUCCESS;
  return fail(PYC_STATUS_CAPTURE_UNSAFE, "the plan has not run yet: run it, or warm it up, before the capture");
}

pyc_status GemmPlan::run_first_that_serves(const Call &call) const {
  for (const PlanCache::Entry &entry : plans_) {
    const pyc_status status = context_->chain().run(*entry.plan, call);
    if (status == PYC_STATUS_SUCCESS) context_->counters().count_served(entry.rung);
    if (status != PYC_STATUS_UNSUPPORTED) return status;
  }
  const std::string last_refusal = last_error_detail();
  return fail(PYC_STATUS_NO_KERNEL, "every kernel of the plan refused the call; the last said: %s",
              last_refusal.c_str());
}

}  // namespace pyc::runtime
