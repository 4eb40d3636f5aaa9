// Anything that can be timed beside the candidate.
#ifndef PYC_HARNESS_CONTENDER_H
#define PYC_HARNESS_CONTENDER_H

#include <cuda_runtime_api.h>
#include <functional>
#include <memory>
#include <string>

#include "operands.h"
#include "pyc/gemm.h"
#include "session.h"

namespace pyc::harness {

// Most workspace that a vendor library may use: what the runtime gives to every rung.
constexpr size_t kVendorWorkspaceBytes = PYC_WORKSPACE_BYTES;

// What a contender may use to get ready for one shape: it can time calls of its own.
struct Preparation {
  const Operands &operands;
  // Takes `count` cold samples of a call and returns their median in ns; throws std::runtime_error if it fails.
  std::function<double(const std::function<pyc_status()> &call, int count)> time_call;
  cudaStream_t stream;
  int64_t algorithms;  // how many a vendor library should try
};

class Contender {
 public:
  virtual ~Contender() = default;

  // Gets ready for a shape. Returns why it cannot serve it; empty if it can.
  virtual std::string prepare(const Preparation &preparation) = 0;

  // Bytes of workspace for the call.
  virtual size_t workspace_bytes(const pyc_gemm_args &args) const = 0;

  // Enqueues the call.
  virtual pyc_status launch(const pyc_gemm_args &args, cudaStream_t stream) = 0;

  // Whether it is a kernel of ours, which may change nothing in the process; the vendor's libraries may.
  virtual bool is_kernel() const { return false; }

  // What exactly is timed (for cuBLASLt the algorithm), and how many algorithms were measured to find it. Valid after
  // prepare().
  virtual std::string detail() const { return ""; }
  virtual int algorithms_measured() const { return 0; }
};

// A contender with its place in the events.
struct Entrant {
  std::string role, name;
  std::string reason;  // why it is unavailable for every shape; empty if it is there
  std::unique_ptr<Contender> contender;
};

std::unique_ptr<Contender> make_candidate(const Session &session);

// These set `reason` instead of the contender where a library or a symbol is missing.
Entrant open_library(const ContenderRequest &request);
Entrant open_cublaslt(const Session &session);
Entrant open_cublas(const Session &session);

}  // namespace pyc::harness

#endif
