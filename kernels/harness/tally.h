// The core of every comparison: what is counted for one element and how counts merge. Runs on the device in compare.cu
// and on host arrays in the tests.
#ifndef PYC_HARNESS_TALLY_H
#define PYC_HARNESS_TALLY_H

#include <cmath>

#include "element.h"

namespace pyc::harness {

// An element is right when |got - expected| <= absolute + relative * |expected|.
struct Rule {
  double absolute, relative;
};

struct Tally {
  int64_t elements = 0;
  int64_t violations = 0;
  double max_abs_error = 0;      // NaN as soon as one error is NaN
  double max_rel_error = 0;      // of |got - expected| / |expected|; elements that should be 0 are left out
  double sum_squared_error = 0;  // NaN likewise
  int64_t first = INT64_MAX;     // linear index of the first wrong element, row * n + column
  double first_expected = 0, first_got = 0;
};

PYC_HD double larger_or_nan(double a, double b) { return a != a || a > b ? a : b; }

// Counts one element. The rule is asked for "right", never for "wrong", so that NaN cannot pass; an expected infinity
// is met by the same infinity only.
PYC_HD void count_element(Tally &tally, const Rule &rule, int64_t index, double expected, double got) {
  const double error = got == expected ? 0.0 : fabs(got - expected);
  const bool right = error <= rule.absolute + rule.relative * fabs(expected) && error - error == 0.0;
  tally.elements += 1;
  tally.max_abs_error = larger_or_nan(error, tally.max_abs_error);
  if (expected != 0.0) tally.max_rel_error = larger_or_nan(error / fabs(expected), tally.max_rel_error);
  tally.sum_squared_error += error * error;
  if (right) return;
  tally.violations += 1;
  if (index < tally.first) {
    tally.first = index;
    tally.first_expected = expected;
    tally.first_got = got;
  }
}

// Counts one element of a result that has exactly one right value: `expected`, rounded once to the type. Zeros are
// equal whatever their sign, NaN is met by any NaN, and `slack` is what flushing subnormal numbers may change.
PYC_HD void count_exact(Tally &tally, DType dtype, double slack, int64_t index, double expected, double got) {
  const double want = round_to(dtype, static_cast<float>(expected));
  const bool both_nan = want != want && got != got;
  const double error = both_nan || got == want ? 0.0 : fabs(got - want);
  tally.elements += 1;
  tally.max_abs_error = larger_or_nan(error, tally.max_abs_error);
  if (want != 0.0) tally.max_rel_error = larger_or_nan(both_nan ? 0.0 : error / fabs(want), tally.max_rel_error);
  tally.sum_squared_error += error * error;
  if (error <= slack) return;
  tally.violations += 1;
  if (index < tally.first) {
    tally.first = index;
    tally.first_expected = want;
    tally.first_got = got;
  }
}

PYC_HD void merge(Tally &into, const Tally &from) {
  into.elements += from.elements;
  into.violations += from.violations;
  into.max_abs_error = larger_or_nan(from.max_abs_error, into.max_abs_error);
  into.max_rel_error = larger_or_nan(from.max_rel_error, into.max_rel_error);
  into.sum_squared_error += from.sum_squared_error;
  if (from.first < into.first) {
    into.first = from.first;
    into.first_expected = from.first_expected;
    into.first_got = from.first_got;
  }
}

// The normwise error: the Frobenius norm of the error over the norm that the result has in the mean. Inputs are scaled
// so that every element of op(A)*op(B) and of C has variance 1, hence sqrt(m*n*(alpha^2 + beta^2)).
PYC_HD double normwise_error(const Tally &tally, double alpha, double beta) {
  return sqrt(tally.sum_squared_error / (static_cast<double>(tally.elements) * (alpha * alpha + beta * beta)));
}

// The bound on it, in one sentence: twice the error that k fp32 additions in a row leave when each is rounded to
// nearest, plus the rounding of the result to its type, and where C is added that of alpha*A*B too.
//
// Rounding to nearest changes a normally distributed number by 0.425*u of its root mean square (u the unit roundoff;
// the mean of ulp^2/12 over the distribution). The partial sum behind l of k terms has variance l/k, so the k errors
// add up to 0.425*u*sqrt(k/2) = 0.30*u*sqrt(k), which is what SGEMM shows from k = 1024 to 14336: the random walk of
// Higham and Mary, "A new approach to probabilistic rounding error analysis", SIAM J. Sci. Comput. 41(5), 2019. Two u
// more stand for the product, alpha and beta. A result in a narrower type is rounded once: 0.425 of that type's
// roundoff, of which 0.5 is allowed, so that partial sums kept in that type (0.6 for two of them) are too many. With
// beta != 0 a kernel may round alpha*A*B to the type before it adds beta*C, as cuBLAS does: two independent roundings
// of numbers with variance alpha^2 and alpha^2 + beta^2. The last factor is for results with few elements, where one
// element's luck weighs.
PYC_HD double normwise_bound(DType dtype, int64_t m, int64_t n, int64_t k, double alpha, double beta) {
  const double accumulate = unit_roundoff(DType::fp32) * (2.0 + 0.6 * sqrt(static_cast<double>(k)));
  const double roundings = beta == 0.0 ? 1.0 : sqrt(1.0 + alpha * alpha / (alpha * alpha + beta * beta));
  const double store = dtype == DType::fp32 ? 0.0 : 0.5 * unit_roundoff(dtype) * roundings;
  return (accumulate + store) * (1.0 + 4.0 / sqrt(static_cast<double>(m) * static_cast<double>(n)));
}

}  // namespace pyc::harness

#endif
