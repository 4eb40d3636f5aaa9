/* The shape families of the selector, one definition for the tool and the runtime. */
#ifndef PYC_FAMILY_H
#define PYC_FAMILY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pyc_shape_family {
  PYC_FAMILY_SMALL = 0,
  PYC_FAMILY_SQUARE = 1,
  PYC_FAMILY_LARGE_SQUARE = 2,
  PYC_FAMILY_TALL_SKINNY = 3,
  PYC_FAMILY_WIDE_SKINNY = 4
} pyc_shape_family;

/* a * b <= limit for a, b >= 1, without overflow. */
static inline int pyc_product_at_most(int64_t a, int64_t b, int64_t limit) { return a <= limit / b; }

/* The family of the logical row-major problem C[m,n] = A[m,k] * B[k,n], before any operand swap. The rules are
 * tried in order and the first that holds decides. m, n, k >= 1, in elements; any size is safe. */
static inline pyc_shape_family pyc_gemm_shape_family(int64_t m, int64_t n, int64_t k) {
  const int64_t lo = m < n ? m : n, hi = m < n ? n : m;
  const int64_t small_volume = (int64_t)1 << 27, large_area = (int64_t)1 << 22;
  if (hi >= 1024 && lo <= 256 && hi / 4 >= lo) return n > m ? PYC_FAMILY_WIDE_SKINNY : PYC_FAMILY_TALL_SKINNY;
  if (hi <= 512) return PYC_FAMILY_SMALL;
  if (pyc_product_at_most(lo, hi, small_volume) && pyc_product_at_most(lo * hi, k, small_volume))
    return PYC_FAMILY_SMALL;
  if (lo >= 512 && !pyc_product_at_most(lo, hi, large_area - 1) && k >= 256) return PYC_FAMILY_LARGE_SQUARE;
  return PYC_FAMILY_SQUARE;
}

/* The family's name in selectors and kernel.json; "unknown" for a value outside the enumeration. */
static inline const char *pyc_shape_family_name(pyc_shape_family family) {
  switch (family) {
    case PYC_FAMILY_SMALL: return "small";
    case PYC_FAMILY_SQUARE: return "square";
    case PYC_FAMILY_LARGE_SQUARE: return "large_square";
    case PYC_FAMILY_TALL_SKINNY: return "tall_skinny";
    case PYC_FAMILY_WIDE_SKINNY: return "wide_skinny";
  }
  return "unknown";
}

#ifdef __cplusplus
}
#endif
#endif
