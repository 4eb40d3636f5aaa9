// The plans of a context, by key.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "compiler/runtime/problem.h"
#include "compiler/runtime/read_mostly.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {

class PlanCache {
 public:
  struct Entry {
    std::shared_ptr<const Plan> plan;
    pyc_rung rung;
    std::string detail;  // of the decision, for explanations
  };

  // An entry that cannot be evicted while this lives; `entry` is nullptr if there is none. Holding it is a shared
  // lock of the thread's own: it delays writers, so hold it for a launch and not for a computation.
  struct Pinned {
    std::shared_lock<ReadMostlyMutex> lock;
    const Entry *entry;
  };

  // At most `capacity` plans are kept; the oldest goes first.
  explicit PlanCache(size_t capacity = 4096) : capacity_(capacity) {}

  Pinned find(const PlanKey &key) const;

  // Keeps the plan that is there already if another thread was faster.
  void insert(const PlanKey &key, Entry entry);

  size_t size() const;

 private:
  const size_t capacity_;
  mutable ReadMostlyMutex mutex_;
  std::unordered_map<PlanKey, Entry, PlanKeyHash> entries_;
  std::deque<PlanKey> oldest_first_;
};

}  // namespace pyc::runtime
