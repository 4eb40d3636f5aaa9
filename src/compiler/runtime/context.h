// What is behind a pyc_context.
#pragma once

#include <memory>

#include "compiler/runtime/chain.h"
#include "compiler/runtime/counters.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/known_addresses.h"
#include "compiler/runtime/plan_cache.h"
#include "compiler/runtime/settings.h"

namespace pyc::runtime {

// Everything takes calls whose arguments were checked. The caller of any function but gemm and explain has made the
// device current.
class Context {
 public:
  Context(const Device &device, const Settings &settings);

  pyc_status gemm(const Call &call);
  pyc_status explain(const Call &call, Explanation *explanation);

  // Makes later calls with the problem's key on `stream` warm.
  pyc_status warm_up(const Problem &problem, void *stream);

  // Runs the plan once on scratch memory, and waits for the stream. Nothing for a host context.
  pyc_status run_on_scratch(const Plan &plan, const Problem &problem, void *stream);

  // INVALID_VALUE unless the device can reach the matrices that the call touches and the workspace that it brings, and
  // the stream is the device's.
  pyc_status check_reach(const Call &call);

  const Device &device() const { return device_; }
  const Settings &settings() const { return settings_; }
  Chain &chain() { return chain_; }
  Counters &counters() { return counters_; }
  const Counters &counters() const { return counters_; }

  void print_explanation(const Problem &problem, const Explanation &explanation) const;

 private:
  pyc_status run_warm(const Call &call, PlanCache::Pinned pinned);
  pyc_status run_first(const Call &call, const PlanKey &key);
  pyc_status describe(const Call &call, Problem *problem) const;
  pyc_status check_pointer_once(const char *name, const void *pointer) {
    return known_->pointers.contains(pointer) ? PYC_STATUS_SUCCESS : check_new_pointer(name, pointer);
  }
  pyc_status check_stream_once(void *stream) {
    return known_->streams.contains(stream) ? PYC_STATUS_SUCCESS : check_new_stream(stream);
  }
  pyc_status check_new_pointer(const char *name, const void *pointer);
  pyc_status check_new_stream(void *stream);

  struct KnownToCuda {
    KnownAddresses<12> pointers;  // a model has hundreds of matrices
    KnownAddresses<8> streams;
  };

  const Device device_;
  const Settings settings_;
  Counters counters_;
  Workspaces workspaces_;  // outlives the plans and rungs
  Chain chain_;
  PlanCache plans_;
  const std::unique_ptr<KnownToCuda> known_;  // nullptr for host memory, where CUDA is not asked
};

}  // namespace pyc::runtime

// The opaque type of the public header. Plans share the context with it, so that either may be destroyed first.
struct pyc_context {
  const std::shared_ptr<pyc::runtime::Context> shared;
};
