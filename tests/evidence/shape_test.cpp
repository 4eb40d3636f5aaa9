#include <gtest/gtest.h>

#include "evidence/records.h"

namespace pyc::evidence {
namespace {

TEST(Shape, IsWrittenAsMByNByK) { EXPECT_EQ(to_string(Shape{4096, 16, 2048}), "4096x16x2048"); }

TEST(Shape, WhatIsWrittenCanBeRead) {
  EXPECT_EQ(parse_shape("4096x16x2048"), (Shape{4096, 16, 2048}));
  EXPECT_EQ(parse_shape("1x1x9223372036854775807"), (Shape{1, 1, INT64_MAX}));
}

TEST(Shape, RefusesAnythingElse) {
  for (const char *text : {"", "64", "64x64", "64x64x64x64", "0x64x64", "-1x64x64", "64x64x", "64 x64x64", "64x64x64 ",
                           "1e3x64x64", "64X64X64", "+4x64x64", "64x64x9223372036854775808"})
    EXPECT_FALSE(parse_shape(text)) << text;
}

}  // namespace
}  // namespace pyc::evidence
