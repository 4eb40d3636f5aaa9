// What is behind a pyc_gemm_plan.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "compiler/runtime/context.h"

namespace pyc::runtime {

class GemmPlan {
 public:
  // The descriptor and the options were checked.
  GemmPlan(std::shared_ptr<Context> context, const pyc_gemm_desc &desc, const pyc_gemm_plan_options &options);
  ~GemmPlan();
  GemmPlan(const GemmPlan &) = delete;
  GemmPlan &operator=(const GemmPlan &) = delete;

  // Asks the rungs; the only function that changes what the plan is.
  pyc_status choose();

  // `call` has the plan's descriptor and checked matrices, and the caller's workspace or none.
  pyc_status run(const Call &call) const;
  pyc_status warm_up(void *stream) const;

  const pyc_gemm_desc &desc() const { return problem_.desc(); }
  const Explanation &explanation() const { return explanation_; }
  size_t workspace_bytes() const { return workspace_bytes_; }
  Context &context() const { return *context_; }

 private:
  pyc_status check_promises(const Call &call) const;
  pyc_status check_workspace(const Call &call) const;
  pyc_status check_warm(void *stream) const;
  void note_warm() const;
  pyc_status run_first_that_serves(const Call &call) const;

  const std::shared_ptr<Context> context_;
  const pyc_gemm_plan_options options_;
  Problem problem_;                      // with pointers that stand for the alignments of the options
  std::vector<PlanCache::Entry> plans_;  // best first; the rest serve if a kernel refuses when it is run
  Explanation explanation_;
  size_t workspace_bytes_ = 0;
  mutable std::atomic<bool> warm_ = false;  // has run: its kernel is loaded
};

// The problem of calls that keep the promises of the options.
Problem promised_problem(const Device &device, const pyc_gemm_desc &desc, const pyc_gemm_plan_options &options);

}  // namespace pyc::runtime

// The opaque type of the public header.
struct pyc_gemm_plan : pyc::runtime::GemmPlan {
  using GemmPlan::GemmPlan;
};
