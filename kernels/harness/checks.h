// The checks of one shape. They share its operands, its reference and one stream; each yields one result.
#ifndef PYC_HARNESS_CHECKS_H
#define PYC_HARNESS_CHECKS_H

#include <functional>
#include <string>

#include "compare.h"
#include "operands.h"
#include "reports.h"
#include "session.h"
#include "stream.h"
#include "violations.h"

namespace pyc::harness {

// How one call differs from the next: scalars, and how the operands are stored.
struct Variant {
  float alpha, beta;
  Storage storage;
};

std::string describe(const Variant &variant);

// All checks of one shape; everything that they need is allocated once, here.
class ShapeChecks {
 public:
  using Report = std::function<void(const CheckResult &)>;

  ShapeChecks(const Session &session, const Shape &shape, Report report);

  // Runs every check that applies and reports each as it ends. Throws Fatal on a CUDA error.
  void run();

  // The call of the first variant, ready to be captured.
  pyc_gemm_args packed_call();

 private:
  // One call and the checks of what it left behind.
  void run_variant(const Variant &variant);

  // Every call that breaks `requires` in one way.
  void run_unsupported();

  void prepare(const Variant &variant);
  CheckResult status(const std::string &variant, const pyc_gemm_args &args);
  CheckResult random(const Variant &variant);
  CheckResult poison(const std::string &variant);
  CheckResult inputs(const std::string &variant);
  CheckResult unsupported(const Violation &violation);

  Changes changes(const void *allocation, const Placement &place, const Pattern &pattern, Inside inside);
  Changes poison_changes(const Buffer &buffer);
  Changes read_counter();

  const Session &session_;
  Shape shape_;
  Report report_;
  Stream stream_;
  Operands operands_;
  Buffer product_;  // fp64, m x n
  Comparison comparison_;
  Buffer counter_;
};

}  // namespace pyc::harness

#endif
