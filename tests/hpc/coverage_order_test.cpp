#include "hpc/coverage_order.h"

#include <gtest/gtest.h>
#include <set>

namespace pyc::hpc {
namespace {

// A full grid: the places are the digits of the number.
CoverageOrder grid(const std::vector<std::size_t> &counts, std::uint64_t seed) {
  std::uint64_t size = 1;
  for (const std::size_t count : counts) size *= count;
  return CoverageOrder(
      counts, size,
      [counts](std::uint64_t id) {
        std::vector<std::uint8_t> places;
        for (const std::size_t count : counts) {
          places.push_back(static_cast<std::uint8_t>(id % count));
          id /= count;
        }
        return places;
      },
      seed);
}

std::vector<std::uint64_t> first(CoverageOrder order, int count) {
  std::vector<std::uint64_t> ids;
  for (int i = 0; i < count; ++i) ids.push_back(*order.next());
  return ids;
}

TEST(CoverageOrder, ComesToEverySetOnce) {
  CoverageOrder order = grid({3, 4, 5}, 1);
  std::set<std::uint64_t> seen;
  while (const auto id = order.next()) EXPECT_TRUE(seen.insert(*id).second);
  EXPECT_EQ(seen.size(), 60u);
}

TEST(CoverageOrder, IsAFunctionOfTheSeed) {
  EXPECT_EQ(first(grid({8, 8, 8}, 7), 50), first(grid({8, 8, 8}, 7), 50));
  EXPECT_NE(first(grid({8, 8, 8}, 7), 50), first(grid({8, 8, 8}, 8), 50));
}

TEST(CoverageOrder, ASetThatIsTakenDoesNotComeAgain) {
  CoverageOrder order = grid({4, 4}, 1);
  EXPECT_TRUE(order.take(5));
  EXPECT_FALSE(order.take(5));
  int count = 0;
  while (const auto id = order.next()) {
    EXPECT_NE(*id, 5u);
    ++count;
  }
  EXPECT_EQ(count, 15);
}

std::size_t pairs_seen(const std::vector<std::uint64_t> &ids, std::size_t levels, std::size_t parameters) {
  std::set<std::uint64_t> pairs;
  for (const std::uint64_t id : ids) {
    std::vector<std::uint64_t> digits;
    for (std::uint64_t rest = id, i = 0; i < parameters; ++i, rest /= levels) digits.push_back(rest % levels);
    for (std::size_t i = 0; i < parameters; ++i)
      for (std::size_t j = i + 1; j < parameters; ++j)
        pairs.insert(((i * parameters + j) * levels + digits[i]) * levels + digits[j]);
  }
  return pairs.size();
}

// 8 parameters of 6 levels have 28 * 36 = 1008 pairs; 100 random sets see 94 % of them.
TEST(CoverageOrder, SeesEveryPairOfValuesSoonerThanChanceDoes) {
  const std::vector<std::uint64_t> ids = first(grid(std::vector<std::size_t>(8, 6), 1), 100);
  EXPECT_GE(pairs_seen(ids, 6, 8), 1006u);
  stats::Generator generator(1);
  std::vector<std::uint64_t> random;
  for (int i = 0; i < 100; ++i) random.push_back(generator.next() % 1679616);
  EXPECT_LT(pairs_seen(random, 6, 8), 980u);
}

TEST(CoverageOrder, EveryValueOfAParameterComesAboutEquallyOften) {
  std::vector<int> counts(8);
  for (const std::uint64_t id : first(grid({8, 8, 8, 8}, 3), 80)) ++counts[id % 8];
  for (const int count : counts) EXPECT_NEAR(count, 10, 3);
}

TEST(CoverageOrder, AVastSpaceIsNoHindrance) {
  CoverageOrder order(
      std::vector<std::size_t>{2, 2}, std::uint64_t{1} << 62,
      [](std::uint64_t id) {
        return std::vector<std::uint8_t>{static_cast<std::uint8_t>(id & 1), static_cast<std::uint8_t>(id >> 1 & 1)};
      },
      1);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(order.next());
}

}  // namespace
}  // namespace pyc::hpc
