// One step of the chain: it considers a problem and answers with a plan or with a reason.
#pragma once

#include <memory>
#include <string>

#include "compiler/runtime/problem.h"
#include "compiler/runtime/settings.h"
#include "pyc/gemm.h"

namespace pyc::runtime {

// A decided way to compute one PlanKey. Immutable, and shared by threads.
class Plan {
 public:
  virtual ~Plan() = default;

  // Enqueues every product of the call (or, on the host, computes it). call.args.workspace has at least
  // workspace_bytes(). UNSUPPORTED means that nothing was enqueued; any other status but SUCCESS is the call's error.
  virtual pyc_status run(const Call &call) const = 0;

  // What run() needs of the call's workspace; at most the problem's max_workspace_bytes.
  virtual size_t workspace_bytes() const { return 0; }

  // The function that run() calls, a static string.
  virtual const char *symbol() const = 0;
};

// What a rung says to a problem: a plan, a reason why not, or an error that ends the call.
struct Decision {
  std::shared_ptr<const Plan> plan;
  pyc_reason reason = PYC_REASON_NONE;
  std::string detail;  // the observed value against the limit; with a plan, where the kernel comes from
  pyc_status error = PYC_STATUS_SUCCESS;

  static Decision accept(std::shared_ptr<const Plan> plan, std::string detail = {});
  static Decision refuse(pyc_reason reason, std::string detail = {});
  static Decision fail(pyc_status error);  // the thread's error detail is set

  // The refusal of a plan that needs more workspace than there may be.
  static Decision refuse_workspace(const char *symbol, size_t needed_bytes, size_t max_bytes);
};

class Rung {
 public:
  virtual ~Rung() = default;
  // Launches nothing and touches no matrix, except that problem.may_measure allows work on memory of the rung's own.
  // Called by several threads at once.
  virtual Decision consider(const Problem &problem) = 0;
};

// In a library that was built without CUDA the device rungs refuse every problem and say so.
std::unique_ptr<Rung> make_rung_promoted(const Settings &settings);
std::unique_ptr<Rung> make_rung_cutlass();
std::unique_ptr<Rung> make_rung_cublas_lt(const Settings &settings);
std::unique_ptr<Rung> make_rung_cublas(const Settings &settings);
std::unique_ptr<Rung> make_rung_cpu(const Settings &settings);

}  // namespace pyc::runtime
