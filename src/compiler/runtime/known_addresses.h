// Addresses that were checked before, so that a warm call need not ask CUDA about them again.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "compiler/runtime/read_mostly.h"

namespace pyc::runtime {

// Threads remember on cache lines of their own, 2^log_places addresses each. A new address may push out an older one,
// which is then checked again.
template <int log_places>
class KnownAddresses {
 public:
  bool contains(const void *address) const {
    return slots_[thread_slot()][place(address)].load(std::memory_order_relaxed) == address;
  }
  void add(const void *address) { slots_[thread_slot()][place(address)].store(address, std::memory_order_relaxed); }

 private:
  static constexpr size_t kPlaces = size_t(1) << log_places;

  static size_t place(const void *address) {
    constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio: spreads equal distances
    return size_t((reinterpret_cast<uintptr_t>(address) * kMultiplier) >> (64 - log_places));
  }

  struct alignas(64) Slot : std::array<std::atomic<const void *>, kPlaces> {};
  std::array<Slot, kThreadSlots> slots_{};
};

}  // namespace pyc::runtime
