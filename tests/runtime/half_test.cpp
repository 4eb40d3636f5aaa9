#include "compiler/runtime/half.h"

#include <cmath>
#include <gtest/gtest.h>

#include "any_case.h"

namespace {

using namespace pyc::runtime;

float bf16_value(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

TEST(Half, EveryFp16ValueIsReadAsTheFormatDefinesIt) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double expected = fp16_value(uint16_t(bits)), got = double(to_float(Fp16{uint16_t(bits)}));
    if (std::isnan(expected) ? !std::isnan(got) : got != expected || std::signbit(got) != std::signbit(expected)) {
      FAIL() << std::hex << bits << " is " << expected << ", read as " << got;
    }
  }
}

#if defined(__x86_64__)
[[gnu::noinline]] float read(uint16_t bits) { return to_float(Fp16{bits}); }

// As a program has it that was linked with -ffast-math, or PyTorch's set_flush_denormal.
TEST(Half, Fp16SubnormalsAreReadInAThreadThatFlushesThoseOfFp32) {
  constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | kFlushToZero | kDenormalsAreZero);
  const float least = read(0x0001), largest = read(0x83ff);
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(least, 0x1p-24f);
  EXPECT_EQ(largest, -1023 * 0x1p-24f);
}
#endif

// For the bits of `T` from `first` to `last`, which have these values: each value is kept; what lies between two
// neighbours goes to the nearer one, and the middle to the even one.
template <typename T, typename Value>
void expect_nearest_even(uint32_t first, uint32_t last, Value value) {
  for (uint32_t bits = first; bits < last; ++bits) {
    const float low = float(value(uint16_t(bits))), high = float(value(uint16_t(bits + 1)));
    const float middle = float((double(low) + double(high)) / 2);
    const uint32_t even = bits + (bits & 1u);
    ASSERT_EQ(from_float<T>(low).bits, bits);
    ASSERT_EQ(from_float<T>(middle).bits, even) << middle;
    ASSERT_EQ(from_float<T>(-middle).bits, even | 0x8000u) << middle;
    ASSERT_EQ(from_float<T>(std::nextafter(middle, 0.0f)).bits, bits) << middle;
    ASSERT_EQ(from_float<T>(std::nextafter(middle, HUGE_VALF)).bits, bits + 1) << middle;
  }
}

TEST(Half, Fp16RoundsToNearestAndTiesToEven) { expect_nearest_even<Fp16>(0, 0x7bff, fp16_value); }

// From the least normal value on: what lies between two bf16 subnormals is an fp32 subnormal, which some machines
// flush.
TEST(Half, Bf16RoundsToNearestAndTiesToEven) { expect_nearest_even<Bf16>(0x80, 0x7f7f, bf16_value); }

TEST(Half, WhatIsTooLargeBecomesInfinityAndNanStaysNan) {
  EXPECT_EQ(from_float<Fp16>(65519.0f).bits, 0x7bffu);
  EXPECT_EQ(from_float<Fp16>(65520.0f).bits, 0x7c00u);
  EXPECT_EQ(from_float<Fp16>(-HUGE_VALF).bits, 0xfc00u);
  EXPECT_EQ(from_float<Bf16>(std::numeric_limits<float>::max()).bits, 0x7f80u);
  EXPECT_EQ(from_float<Bf16>(-HUGE_VALF).bits, 0xff80u);
  for (uint32_t bits : {0x7f800001u, 0x7fc00000u, 0xffffffffu}) {
    const float nan = std::bit_cast<float>(bits);
    EXPECT_TRUE(std::isnan(to_float(from_float<Fp16>(nan))));
    EXPECT_TRUE(std::isnan(to_float(from_float<Bf16>(nan))));
  }
}

}  // namespace
