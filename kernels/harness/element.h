// The element types of a GEMM: names, sizes, rounding. Compiled by the host compiler and by nvcc alike, with no header
// of the toolkit, so that the host tests run the same conversions as the kernels.
#ifndef PYC_HARNESS_ELEMENT_H
#define PYC_HARNESS_ELEMENT_H

#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define PYC_HD __host__ __device__ inline
#else
#define PYC_HD inline
#endif

namespace pyc::harness {

enum class DType : int32_t { fp32, fp16, bf16 };

PYC_HD int64_t element_bytes(DType dtype) { return dtype == DType::fp32 ? 4 : 2; }

// Unit roundoff: half the distance from 1 to the next number of the type.
PYC_HD double unit_roundoff(DType dtype) {
  return dtype == DType::fp32 ? 0x1p-24 : dtype == DType::fp16 ? 0x1p-11 : 0x1p-8;
}

PYC_HD uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

PYC_HD float bits_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// float to bf16, to nearest even; a NaN stays a NaN.
PYC_HD uint16_t bf16_bits(float value) {
  const uint32_t bits = float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

PYC_HD float bf16_value(uint16_t bits) { return bits_float(static_cast<uint32_t>(bits) << 16); }

// float to fp16, to nearest even, with subnormals and overflow to infinity.
PYC_HD uint16_t fp16_bits(float value) {
  const uint32_t all = float_bits(value), sign = (all >> 16) & 0x8000u, bits = all & 0x7fffffffu;
  if (bits > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (bits >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (bits < 0x38800000u) {  // 0.5f has the spacing of fp16's subnormals, so the addition rounds for us
    return static_cast<uint16_t>(sign | (float_bits(bits_float(bits) + 0.5f) - float_bits(0.5f)));
  }
  return static_cast<uint16_t>(sign | ((bits + 0xfffu + ((bits >> 13) & 1u) - 0x38000000u) >> 13));
}

PYC_HD float fp16_value(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16, exponent = (half >> 10) & 31u;
  const uint32_t mantissa = half & 0x3ffu;
  if (exponent == 31u) return bits_float(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0u) return (sign ? -1.0f : 1.0f) * static_cast<float>(mantissa) * 0x1p-24f;
  return bits_float(sign | ((exponent + 112u) << 23) | (mantissa << 13));
}

PYC_HD float round_to(DType dtype, float value) {
  if (dtype == DType::fp32) return value;
  return dtype == DType::fp16 ? fp16_value(fp16_bits(value)) : bf16_value(bf16_bits(value));
}

// The element at `index` of an array of the type.
PYC_HD float load_element(DType dtype, const void *array, int64_t index) {
  if (dtype == DType::fp32) return static_cast<const float *>(array)[index];
  const uint16_t bits = static_cast<const uint16_t *>(array)[index];
  return dtype == DType::fp16 ? fp16_value(bits) : bf16_value(bits);
}

// The bits that `value` has in the type, in the low half for the 16-bit types.
PYC_HD uint32_t element_bits(DType dtype, float value) {
  if (dtype == DType::fp32) return float_bits(value);
  return dtype == DType::fp16 ? fp16_bits(value) : bf16_bits(value);
}

}  // namespace pyc::harness

#endif
