// What a context counts. Threads count on cache lines of their own; a query adds them up.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "compiler/runtime/read_mostly.h"
#include "pyc/gemm.h"

namespace pyc::runtime {

class Counters {
 public:
  void count_quick_answer() { add(slot().quick_answers); }
  void count_failure() { add(slot().failed); }
  void count_plan(bool hit) { add(hit ? slot().plan_hits : slot().plan_misses); }
  void count_served(pyc_rung rung) { add(slot().served[size_t(rung)]); }

  // The sums. `skipped` follows from the order of the chain: every rung before the one that served was refused.
  pyc_counters totals() const;

 private:
  using Count = std::atomic<uint64_t>;
  struct alignas(64) Slot {
    Count quick_answers = 0, failed = 0, plan_hits = 0, plan_misses = 0;
    std::array<Count, PYC_RUNG_COUNT> served{};
  };

  static void add(Count &count) { count.fetch_add(1, std::memory_order_relaxed); }
  Slot &slot() { return slots_[thread_slot()]; }

  std::array<Slot, kThreadSlots> slots_;
};

}  // namespace pyc::runtime
