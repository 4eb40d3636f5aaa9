#include "compiler/runtime/read_mostly.h"

#include <gtest/gtest.h>
#include <set>
#include <thread>

namespace {

using pyc::runtime::kThreadSlots;
using pyc::runtime::thread_slot;

TEST(ThreadSlot, ThreadsInARowHaveDifferentOnesAndEachKeepsItsOwn) {
  std::set<size_t> slots;
  for (size_t i = 0; i < kThreadSlots; ++i) {
    std::thread([&] {
      const size_t slot = thread_slot();
      EXPECT_LT(slot, kThreadSlots);
      EXPECT_EQ(thread_slot(), slot);
      slots.insert(slot);
    }).join();
  }
  EXPECT_EQ(slots.size(), kThreadSlots);
}

}  // namespace
