#include "compiler/runtime/known_addresses.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using KnownAddresses = pyc::runtime::KnownAddresses<8>;

const void *address(uintptr_t value) { return reinterpret_cast<const void *>(value); }

TEST(KnownAddresses, KnowsWhatWasAddedLastAndNothingElse) {
  KnownAddresses known;
  EXPECT_FALSE(known.contains(address(4096)));
  known.add(address(4096));
  EXPECT_TRUE(known.contains(address(4096)));
  EXPECT_FALSE(known.contains(address(4097)));
  EXPECT_FALSE(known.contains(address(8192)));
}

TEST(KnownAddresses, AnAddressThatIsPushedOutIsUnknownAgain) {
  KnownAddresses known;
  for (uintptr_t i = 1; i <= 100000; ++i) known.add(address(i * 256));
  int remembered = 0;
  for (uintptr_t i = 1; i <= 100000; ++i) remembered += known.contains(address(i * 256));
  EXPECT_GT(remembered, 100);
  EXPECT_LE(remembered, 256);
}

// The operands of a call are usually some megabytes apart; they must not push one another out.
TEST(KnownAddresses, OperandsOfOneCallAreKnownTogether) {
  KnownAddresses known;
  const uintptr_t base = uintptr_t(0x7f3a) << 32;
  std::vector<const void *> operands;
  for (uintptr_t i = 0; i < 8; ++i) operands.push_back(address(base + (i << 21)));
  for (const void *operand : operands) known.add(operand);
  int together = 0;
  for (const void *operand : operands) together += known.contains(operand);
  EXPECT_GE(together, 7);
}

// Weights and activations of a model lie at irregular distances. Each address that is pushed out costs a question to
// CUDA at every use.
TEST(KnownAddresses, MostMatricesOfAModelStayKnown) {
  pyc::runtime::KnownAddresses<12> known;
  std::mt19937_64 random(1);
  std::vector<const void *> matrices;
  for (uintptr_t next = uintptr_t(0x7f3a) << 32; matrices.size() < 600; next += (1 + random() % 100000) * 512) {
    matrices.push_back(address(next));
  }
  for (const void *matrix : matrices) known.add(matrix);
  int together = 0;
  for (const void *matrix : matrices) together += known.contains(matrix);
  EXPECT_GE(together, 500);
}

}  // namespace
