#include "compiler/runtime/counters.h"

#include "compiler/runtime/chain.h"

namespace pyc::runtime {

pyc_counters Counters::totals() const {
  pyc_counters totals = {};
  totals.struct_size = sizeof totals;
  for (const Slot &slot : slots_) {
    totals.quick_answers += slot.quick_answers;
    totals.failed += slot.failed;
    totals.plan_hits += slot.plan_hits;
    totals.plan_misses += slot.plan_misses;
    for (size_t i = 0; i < PYC_RUNG_COUNT; ++i) totals.served[i] += slot.served[i];
  }
  uint64_t served_later = 0;
  for (size_t i = kChainOrder.size(); i-- > 0; served_later += totals.served[kChainOrder[i]]) {
    totals.skipped[kChainOrder[i]] = served_later;
  }
  return totals;
}

}  // namespace pyc::runtime
