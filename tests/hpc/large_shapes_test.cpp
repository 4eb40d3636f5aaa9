#include "hpc/large_shapes.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace pyc::hpc {
namespace {

constexpr pyc_shape_family kFamilies[] = {PYC_FAMILY_SQUARE, PYC_FAMILY_LARGE_SQUARE, PYC_FAMILY_TALL_SKINNY,
                                          PYC_FAMILY_WIDE_SKINNY};

TEST(LargeShapes, BelongToTheirFamily) {
  for (const pyc_shape_family family : kFamilies) {
    for (const evidence::Shape &shape : large_shapes(family)) {
      EXPECT_EQ(pyc_gemm_shape_family(shape.m, shape.n, shape.k), family) << to_string(shape);
    }
  }
}

TEST(LargeShapes, HaveAnOperandOfMoreThanTwoToThe31Elements) {
  for (const pyc_shape_family family : kFamilies) {
    EXPECT_FALSE(large_shapes(family).empty());
    for (const evidence::Shape &shape : large_shapes(family)) {
      const std::int64_t largest = std::max({shape.m * shape.k, shape.k * shape.n, shape.m * shape.n});
      EXPECT_GT(largest, std::int64_t{1} << 31) << to_string(shape);
      EXPECT_LE(shape.k, 1 << 20) << to_string(shape);
    }
  }
}

TEST(LargeShapes, AreNotThereForSmallProblems) { EXPECT_TRUE(large_shapes(PYC_FAMILY_SMALL).empty()); }

TEST(LargeShapes, NeedRoomForTheirOperandsAndTwoReferences) {
  EXPECT_EQ(large_shape_bytes({2, 3, 5}, "fp32"), 4 * (10 + 15 + 6) + 12 * 6);
  EXPECT_EQ(large_shape_bytes({2, 3, 5}, "bf16"), 2 * (10 + 15 + 6) + 12 * 6);
}

}  // namespace
}  // namespace pyc::hpc
