#include "compiler/runtime/plan_cache.h"

#include <mutex>
#include <utility>

namespace pyc::runtime {

PlanCache::Pinned PlanCache::find(const PlanKey &key) const {
  std::shared_lock lock(mutex_);
  const auto found = entries_.find(key);
  return {std::move(lock), found == entries_.end() ? nullptr : &found->second};
}

void PlanCache::insert(const PlanKey &key, Entry entry) {
  Entry evicted;  // destroyed after the lock is released
  std::unique_lock lock(mutex_);
  if (!entries_.try_emplace(key, std::move(entry)).second) return;
  oldest_first_.push_back(key);
  if (entries_.size() <= capacity_) return;
  const auto oldest = entries_.find(oldest_first_.front());
  evicted = std::move(oldest->second);
  entries_.erase(oldest);
  oldest_first_.pop_front();
}

size_t PlanCache::size() const {
  std::shared_lock lock(mutex_);
  return entries_.size();
}

}  // namespace pyc::runtime
