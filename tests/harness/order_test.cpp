#include "order.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace pyc::harness {
namespace {

TEST(Order, EveryBlockIsAPermutationFollowedByItsMirror) {
  for (int arms = 1; arms <= 9; ++arms) {
    for (int block = 0; block < 50; ++block) {
      const std::vector<int> order = block_order(arms, 7, block);
      ASSERT_EQ(order.size(), static_cast<size_t>(2 * arms));
      std::vector<int> half(order.begin(), order.begin() + arms);
      EXPECT_TRUE(std::equal(half.rbegin(), half.rend(), order.begin() + arms));
      std::sort(half.begin(), half.end());
      for (int arm = 0; arm < arms; ++arm) EXPECT_EQ(half[static_cast<size_t>(arm)], arm);
    }
  }
}

TEST(Order, IsAFunctionOfSeedAndBlock) {
  EXPECT_EQ(block_order(7, 1, 3), block_order(7, 1, 3));
  EXPECT_NE(block_order(7, 1, 3), block_order(7, 1, 4));
  EXPECT_NE(block_order(7, 1, 3), block_order(7, 2, 3));
}

TEST(Order, EveryOrderOfThreeArmsComesUpAboutEquallyOften) {
  std::map<std::vector<int>, int> seen;
  for (int block = 0; block < 6000; ++block) ++seen[block_order(3, 99, block)];
  ASSERT_EQ(seen.size(), 6u);
  for (const auto &[order, count] : seen) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace pyc::harness
