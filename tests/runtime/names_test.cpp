#include "compiler/runtime/names.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

#include "pyc/gemm.h"

namespace {

using Name = const char *(*)(int32_t);

// Every value has a text of its own, and values outside have the "unknown" one.
void expect_complete(Name name, int32_t count) {
  std::set<std::string> seen;
  for (int32_t value = 0; value < count; ++value) {
    const std::string text = name(value);
    EXPECT_FALSE(text.empty() || text.starts_with("unknown")) << value;
    EXPECT_TRUE(seen.insert(text).second) << text;
  }
  for (int32_t value : {-1, count, 1 << 30}) EXPECT_TRUE(std::string(name(value)).starts_with("unknown")) << value;
}

TEST(Names, EveryReasonStatusAndRungHasItsOwnText) {
  expect_complete(pyc_reason_string, PYC_REASON_COUNT);
  expect_complete(pyc_status_string, PYC_STATUS_INTERNAL_ERROR + 1);
  expect_complete(pyc_rung_name, PYC_RUNG_COUNT);
}

TEST(Names, RungNamesAreReadBack) {
  for (int32_t i = 0; i < PYC_RUNG_COUNT; ++i) EXPECT_EQ(pyc::runtime::rung_from_name(pyc_rung_name(i)), i);
  EXPECT_EQ(pyc::runtime::rung_from_name(""), -1);
  EXPECT_EQ(pyc::runtime::rung_from_name("CPU"), -1);
}

TEST(Names, VersionIsThreeNumbers) { EXPECT_EQ(std::string(pyc_version()), PYC_EXPECTED_VERSION); }

}  // namespace
