#include "stats/portable_math.h"

#include <cmath>
#include <numbers>

namespace pyc::stats {

double portable_log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // exact; in [0.5, 1)
  if (mantissa < std::numbers::sqrt2 / 2) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh s = 2 (s + s^3/3 + s^5/5 + ...) with s = (m-1)/(m+1), |s| < 0.172: the term s^23 is below 2^-53.
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  double series = 0;
  for (int power = 23; power >= 1; power -= 2) series = series * square + 1.0 / power;
  return 2 * s * series + exponent * std::numbers::ln2;
}

double portable_exp(double x) {
  const int exponent = static_cast<int>(std::floor(x / std::numbers::ln2 + 0.5));
  const double rest = x - exponent * std::numbers::ln2;  // |rest| < 0.35: rest^15 / 15! is below 2^-53
  double series = 1;
  for (int term = 15; term >= 1; --term) series = 1 + series * rest / term;
  return std::ldexp(series, exponent);  // exact
}

}  // namespace pyc::stats
