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

// The bound on it, in one sentence: k fp32 roundings of a sum that grows like a random walk, plus those of alpha and
// beta, cost at most u*(2 + sqrt(k)), and storing the result in a narrower type costs 0.6 of that type's roundoff.
// Source of the first part: Higham and Mary, "A new approach to probabilistic rounding error analysis", SIAM J. Sci.
// Comput. 41(5), 2019, with lambda = 1 (plain SGEMM shows 0.3*u*sqrt(k)); of the second: the root mean square of a
// uniform rounding error is 0.41 of the roundoff. The last factor is for results with few elements, where one
// element's luck weighs.
PYC_HD double normwise_bound(DType dtype, int64_t m, int64_t n, int64_t k) {
  const double accumulate = unit_roundoff(DType::fp32) * (2.0 + sqrt(static_cast<double>(k)));
  const double store = dtype == DType::fp32 ? 0.0 : 0.6 * unit_roundoff(dtype);
  return (accumulate + store) * (1.0 + 4.0 / sqrt(static_cast<double>(m) * static_cast<double>(n)));
}

}  // namespace pyc::harness

#endif
