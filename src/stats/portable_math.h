// Logarithm and exponential from IEEE additions, multiplications and divisions alone. The C library's differ in the
// last bit between versions and processors; a verdict must come out the same on every machine that reads the evidence.
#pragma once

namespace pyc::stats {

double portable_log(double x);  // natural; x > 0 and finite; relative error below 1e-14
double portable_exp(double x);  // |x| < 708; relative error below 1e-13

}  // namespace pyc::stats
