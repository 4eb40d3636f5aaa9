#include "element.h"

#include <cmath>
#include <gtest/gtest.h>

namespace pyc::harness {
namespace {

TEST(Element, EveryFp16ValueSurvivesTheWayToFloatAndBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = fp16_value(static_cast<uint16_t>(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(fp16_value(fp16_bits(value))));
    else
      ASSERT_EQ(fp16_bits(value), bits);
  }
}

TEST(Element, EveryBf16ValueSurvivesTheWayToFloatAndBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = bf16_value(static_cast<uint16_t>(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(bf16_value(bf16_bits(value))));
    else
      ASSERT_EQ(bf16_bits(value), bits);
  }
}

TEST(Element, RoundsToNearestAndTiesToEven) {
  EXPECT_EQ(round_to(DType::fp16, 1.0f + 0x1p-11f), 1.0f);
  EXPECT_EQ(round_to(DType::fp16, 1.0f + 3 * 0x1p-11f), 1.0f + 0x1p-9f);
  EXPECT_EQ(round_to(DType::fp16, std::nextafter(1.0f + 0x1p-11f, 2.0f)), 1.0f + 0x1p-10f);
  EXPECT_EQ(round_to(DType::bf16, 1.0f + 0x1p-8f), 1.0f);
  EXPECT_EQ(round_to(DType::bf16, 1.0f + 3 * 0x1p-8f), 1.0f + 0x1p-6f);
}

TEST(Element, Fp16OverflowsToInfinityAndUnderflowsGradually) {
  EXPECT_EQ(round_to(DType::fp16, 65519.0f), 65504.0f);
  EXPECT_TRUE(std::isinf(round_to(DType::fp16, 65520.0f)));
  EXPECT_EQ(round_to(DType::fp16, 0x1p-24f), 0x1p-24f);
  EXPECT_EQ(round_to(DType::fp16, 0x1p-25f), 0.0f);
}

}  // namespace
}  // namespace pyc::harness
