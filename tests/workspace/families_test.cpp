#include "workspace/families.h"

#include <gtest/gtest.h>

namespace pyc::workspace {
namespace {

using evidence::Shape;

pyc_shape_family family_of(const Shape &shape) { return pyc_gemm_shape_family(shape.m, shape.n, shape.k); }

bool is_odd_twin(std::int64_t size, std::int64_t twin) {
  return size % 2 == 1 ? twin == size : twin == size + 1 || twin == size - 1;
}

void expect_twin(const Shape &shape) {
  const Shape twin = odd_twin(shape);
  EXPECT_EQ(family_of(twin), family_of(shape)) << to_string(shape) << " " << to_string(twin);
  EXPECT_TRUE(is_odd_twin(shape.m, twin.m) && is_odd_twin(shape.n, twin.n) && is_odd_twin(shape.k, twin.k))
      << to_string(shape) << " " << to_string(twin);
}

TEST(Families, NamesGoBothWays) {
  for (const std::string &name : family_names()) {
    const auto family = family_of_name(name);
    ASSERT_TRUE(family) << name;
    EXPECT_EQ(pyc_shape_family_name(*family), name);
  }
  EXPECT_EQ(family_names().size(), 5u);
  EXPECT_FALSE(family_of_name("Square"));
  EXPECT_FALSE(family_of_name("unknown"));
}

TEST(Families, DefaultShapesAreOfTheirFamily) {
  for (const std::string &name : family_names()) {
    const pyc_shape_family family = *family_of_name(name);
    EXPECT_GE(default_shapes(family).size(), 4u) << name;
    for (const Shape &shape : default_shapes(family)) EXPECT_EQ(family_of(shape), family) << to_string(shape);
  }
}

TEST(Families, EveryDefaultShapeHasAnOddTwinInItsFamily) {
  for (const std::string &name : family_names()) {
    for (const Shape &shape : default_shapes(*family_of_name(name))) expect_twin(shape);
  }
}

TEST(Families, TwinGoesUpInMAndNAndDownInK) {
  EXPECT_EQ(odd_twin({1024, 1024, 1024}), (Shape{1025, 1025, 1023}));
  EXPECT_EQ(odd_twin({1, 4096, 4096}), (Shape{1, 4097, 4095}));
  EXPECT_EQ(odd_twin({8457, 35, 2048}), (Shape{8457, 35, 2047}));
  EXPECT_EQ(odd_twin({2, 2, 2}), (Shape{3, 3, 1}));
}

TEST(Families, TwinGoesTheOtherWayWhereTheFamilyWouldChange) {
  EXPECT_EQ(odd_twin({512, 512, 512}), (Shape{511, 511, 511}));
  EXPECT_EQ(odd_twin({1024, 256, 1024}), (Shape{1025, 255, 1023}));
}

// Sizes on both sides of every bound in the rule, in every combination.
TEST(Families, EveryShapeHasAnOddTwinInItsFamily) {
  const std::int64_t sizes[] = {1,    2,    3,    4,    16,   31,   32,   254,  255,  256,  257,
                                258,  510,  511,  512,  513,  514,  1022, 1023, 1024, 1025, 1026,
                                2046, 2047, 2048, 2049, 2050, 4096, 8190, 8192, 8194, 65536};
  for (const std::int64_t m : sizes) {
    for (const std::int64_t n : sizes) {
      for (const std::int64_t k : sizes) expect_twin({m, n, k});
    }
  }
}

TEST(Families, DtypesCarryTheirTolerancesAndSizes) {
  EXPECT_EQ(dtype_names(), (std::vector<std::string>{"fp32", "fp16", "bf16"}));
  EXPECT_EQ(default_tolerance("fp32")->absolute, 1e-4);
  EXPECT_EQ(default_tolerance("fp16")->relative, 5e-2);
  EXPECT_EQ(default_tolerance("bf16")->absolute, 8e-2);
  EXPECT_FALSE(default_tolerance("fp64"));
  EXPECT_EQ(element_bytes("fp32"), 4u);
  EXPECT_EQ(element_bytes("bf16"), 2u);
  EXPECT_EQ(element_bytes("int8"), 0u);
}

}  // namespace
}  // namespace pyc::workspace
