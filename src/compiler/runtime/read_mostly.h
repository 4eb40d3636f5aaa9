// A lock for tables that are read on every call and written rarely: readers of different threads share no cache line.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <shared_mutex>

namespace pyc::runtime {

inline constexpr size_t kThreadSlots = 16;

// A small number that stays with the calling thread; the first kThreadSlots threads have different ones.
inline size_t thread_slot() {
  constexpr size_t kNone = kThreadSlots;
  static std::atomic<size_t> next = 0;
  static constinit thread_local size_t slot = kNone;  // a constant, so that no guard is asked at every use
  if (slot == kNone) slot = next.fetch_add(1, std::memory_order_relaxed) % kThreadSlots;
  return slot;
}

// A reader locks its own slot; a writer locks them all. Lockable by std::shared_lock and std::unique_lock, from the
// same thread that unlocks.
class ReadMostlyMutex {
 public:
  void lock_shared() { slots_[thread_slot()].mutex.lock_shared(); }
  void unlock_shared() { slots_[thread_slot()].mutex.unlock_shared(); }
  void lock() {
    for (Slot &slot : slots_) slot.mutex.lock();
  }
  void unlock() {
    for (Slot &slot : slots_) slot.mutex.unlock();
  }

 private:
  struct alignas(64) Slot {
    std::shared_mutex mutex;
  };
  std::array<Slot, kThreadSlots> slots_;
};

}  // namespace pyc::runtime
