// What is behind a pyc_context.
#pragma once

#include <array>

#include "compiler/runtime/chain.h"
#include "compiler/runtime/counters.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/plan_cache.h"
#include "compiler/runtime/settings.h"

namespace pyc::runtime {

using Explanation = std::array<pyc_rung_report, PYC_RUNG_COUNT>;

class Context {
 public:
  Context(const Device &device, const Settings &settings);

  // Both take a call whose arguments were checked.
  pyc_status gemm(const Call &call);
  pyc_status explain(const Call &call, Explanation *explanation);

  Counters &counters() { return counters_; }
  const Counters &counters() const { return counters_; }

 private:
  pyc_status run_warm(const Call &call, PlanCache::Pinned pinned);
  pyc_status run_first(const Call &call, const PlanKey &key);
  pyc_status describe(const Call &call, Problem *problem) const;
  void print_explanation(const Call &call);

  const Device device_;
  const Settings settings_;
  Counters counters_;
  Workspaces workspaces_;  // outlives the plans and rungs
  Chain chain_;
  PlanCache plans_;
};

}  // namespace pyc::runtime

// The opaque type of the public header.
struct pyc_context : pyc::runtime::Context {
  using Context::Context;
};
