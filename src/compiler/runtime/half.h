// fp16 and bf16 on the host: storage types whose arithmetic is done in fp32.
#pragma once

#include <bit>
#include <cstdint>

#include "pyc/gemm.h"

namespace pyc::runtime {

struct Fp16 {
  uint16_t bits = 0;
};
struct Bf16 {
  uint16_t bits = 0;
};

inline float to_float(float value) { return value; }
inline float to_float(Bf16 value) { return std::bit_cast<float>(uint32_t(value.bits) << 16); }

// Exponent and mantissa move to their places in fp32, with the exponent raised so that 31, of infinity and NaN, becomes
// 255, which means the same; the product takes off what is too much. A subnormal counts units of 2^-24, the unit in the
// last place of 0.5. No subnormal of fp32 comes up in either way, which a thread that flushes those to zero would lose.
// A mask chooses between the two, because compilers make no vector code of a condition here.
inline float to_float(Fp16 value) {
  const uint32_t magnitude = value.bits & 0x7fffu;
  const float normal = std::bit_cast<float>((magnitude << 13) + 0x70000000u) * 0x1p-112f;
  const float subnormal = std::bit_cast<float>(magnitude | 0x3f000000u) - 0.5f;
  const uint32_t is_subnormal = uint32_t(int32_t(magnitude - 0x400u) >> 31);  // every bit, or none
  const uint32_t bits =
      (std::bit_cast<uint32_t>(subnormal) & is_subnormal) | (std::bit_cast<uint32_t>(normal) & ~is_subnormal);
  return std::bit_cast<float>(bits | uint32_t(value.bits & 0x8000u) << 16);
}

// To nearest, ties to even. A NaN stays one; what is too large becomes infinity.
template <typename T>
T from_float(float value);

template <>
inline float from_float<float>(float value) {
  return value;
}

template <>
inline Bf16 from_float<Bf16>(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value) return {uint16_t(bits >> 16 | 0x40u)};
  return {uint16_t((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

template <>
inline Fp16 from_float<Fp16>(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), magnitude = bits & 0x7fffffffu;
  const uint32_t sign = bits >> 16 & 0x8000u;
  if (magnitude > 0x7f800000u) return {uint16_t(sign | 0x7e00u)};
  if (magnitude >= 0x477ff000u) return {uint16_t(sign | 0x7c00u)};  // 65520 and more round to infinity
  if (magnitude >= 0x38800000u) {                                   // 2^-14, the least normal number
    return {uint16_t(sign | (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13)};
  }
  // Adding 0.5 makes the unit in the last place 2^-24, which is that of a subnormal: the addition rounds.
  const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
  return {uint16_t(sign | (std::bit_cast<uint32_t>(rounded) - 0x3f000000u))};
}

// Calls `use` with a value of the element type that a pyc_dtype stands for.
template <typename Use>
void with_element_type(int32_t dtype, Use use) {
  if (dtype == PYC_DTYPE_FP16) {
    use(Fp16());
  } else if (dtype == PYC_DTYPE_BF16) {
    use(Bf16());
  } else {
    use(0.0f);
  }
}

}  // namespace pyc::runtime
