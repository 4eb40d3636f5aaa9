// Matrices of whole numbers whose product is exact in fp32 whatever the order of summation.
//
// Sum of |a||b| over k stays under 2^24, so every product and every partial sum of any subset is a whole number that
// fp32 holds. What a kernel must deliver is therefore one number, rounded once to the type of C.
//
// Along k there are two kinds of places. Pairs: l and l + half carry the same value of A and opposite values of B, all
// of A positive. Their products cancel in the end, but on the way the partial sum climbs to about 2^20: an accumulator
// of fp16 or bf16, or a partial sum stored in either, loses bits that the end shows. Singles: few places with products
// that stay. They keep the end small enough for the type of C to hold it, so that one term too many or too few shows.
// In fp32 each single has one factor of 13 bits, more than TF32 holds.
#ifndef PYC_HARNESS_WHOLE_NUMBERS_H
#define PYC_HARNESS_WHOLE_NUMBERS_H

#include "element.h"

namespace pyc::harness {

constexpr int64_t kLargestExactK = int64_t{1} << 20;

// How the places along k are used, and how large the values are.
struct WholeNumbers {
  int64_t half = 0;      // k / 2, the distance within a pair; with an odd k the last place is a single
  int64_t sparsity = 2;  // one place in so many is a single
  int32_t a_largest = 1, b_largest = 1;
  bool tall = false;  // singles have a factor of 13 bits
};

// The finaliser of splitmix64 (Steele, Lea and Flood, 2014): a bijection of 64-bit words.
PYC_HD uint64_t mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// For 1 <= k <= kLargestExactK. Pairs sum to at most 2^22 in |a||b|, tall singles to about as much again.
PYC_HD WholeNumbers whole_numbers(DType dtype, int64_t k) {
  const int64_t most_singles = dtype == DType::fp32 ? 512 : dtype == DType::fp16 ? 65536 : 1024;
  const int64_t cap = dtype == DType::bf16 ? 255 : 2047, budget = (int64_t{1} << 22) / k;
  WholeNumbers out;
  out.half = k / 2;
  if (k > 2 * most_singles) out.sparsity = (k + most_singles - 1) / most_singles;
  int64_t b = 1;
  while ((b + 1) * (b + 1) <= budget && b < cap) ++b;
  const int64_t a = budget / b;
  out.a_largest = static_cast<int32_t>(a < cap ? a : cap);
  out.b_largest = static_cast<int32_t>(b);
  out.tall = dtype == DType::fp32;
  return out;
}

// A place along k, seen from the pair that it belongs to.
struct PlaceInK {
  int64_t pair;  // 0 to half; half itself is the odd last place
  bool second, single;
};

PYC_HD PlaceInK place_in_k(const WholeNumbers &whole, int64_t l) {
  PlaceInK place{l, false, false};
  place.second = l >= whole.half && l < 2 * whole.half;
  if (l >= whole.half) place.pair = place.second ? l - whole.half : whole.half;
  const uint64_t word = mix64(0x632be59bd9b4e019ull + static_cast<uint64_t>(place.pair));
  place.single = place.pair == whole.half || word % static_cast<uint64_t>(whole.sparsity) == 0;
  return place;
}

// A random number for an element: the same for both places of a pair.
PYC_HD uint64_t whole_word(uint64_t seed, const PlaceInK &place, int64_t l, int64_t other) {
  const uint64_t along = static_cast<uint64_t>(place.single ? l : place.pair);
  return mix64(seed + 0x9e3779b97f4a7c15ull * ((static_cast<uint64_t>(other) << 32) ^ along));
}

// The magnitude of a single: 13 bits, the last one set, for the operand whose turn it is.
PYC_HD int32_t single_magnitude(bool tall, uint64_t word) {
  return tall ? 4097 + static_cast<int32_t>(word & 0xffeu) : 1;
}

PYC_HD int32_t whole_a(const WholeNumbers &whole, uint64_t seed, int64_t row, int64_t l) {
  const PlaceInK place = place_in_k(whole, l);
  const uint64_t word = whole_word(seed, place, l, row);
  if (!place.single) return 1 + static_cast<int32_t>((word >> 32) % static_cast<uint32_t>(whole.a_largest));
  const int32_t magnitude = single_magnitude(whole.tall && place.pair % 2 == 0, word);
  return word >> 63 ? magnitude : -magnitude;
}

PYC_HD int32_t whole_b(const WholeNumbers &whole, uint64_t seed, int64_t l, int64_t column) {
  const PlaceInK place = place_in_k(whole, l);
  const uint64_t word = whole_word(seed, place, l, column);
  if (place.single) {
    const int32_t magnitude = single_magnitude(whole.tall && place.pair % 2 == 1, word);
    return word >> 63 ? magnitude : -magnitude;
  }
  const int32_t value = 1 + static_cast<int32_t>((word >> 32) % static_cast<uint32_t>(whole.b_largest));
  return place.second ? -value : value;
}

// From -8 to 8, never 0.
PYC_HD int32_t whole_c(uint64_t seed, int64_t row, int64_t column) {
  const uint64_t index = (static_cast<uint64_t>(row) << 32) ^ static_cast<uint64_t>(column);
  const uint64_t word = mix64(seed + 0x9e3779b97f4a7c15ull * index);
  const int32_t magnitude = 1 + static_cast<int32_t>((word >> 32) & 7u);
  return word & 1u ? magnitude : -magnitude;
}

}  // namespace pyc::harness

#endif
