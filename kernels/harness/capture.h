// One call of a kernel, captured into a graph. Nothing is executed until the graph is replayed.
#ifndef PYC_HARNESS_CAPTURE_H
#define PYC_HARNESS_CAPTURE_H

#include <cuda_runtime_api.h>
#include <string>
#include <vector>

#include "pyc/kernel.h"

namespace pyc::harness {

class CapturedCall {
 public:
  CapturedCall(pyc_gemm_kernel run, const pyc_gemm_args &args);
  ~CapturedCall();
  CapturedCall(const CapturedCall &) = delete;
  CapturedCall &operator=(const CapturedCall &) = delete;

  pyc_status answer() const { return answer_; }

  // Why the call was not captured whole; empty if it was, whatever it answered.
  const std::string &broken() const { return broken_; }

  // Why it cannot be captured, its answer included; empty if it can.
  std::string refusal() const;

  // The nodes of the graph; none if the capture broke.
  std::vector<cudaGraphNode_t> nodes() const;

  // Enqueues the work that was captured; only if refusal() is empty.
  void replay(cudaStream_t stream);

 private:
  pyc_status answer_ = PYC_STATUS_INTERNAL_ERROR;
  std::string broken_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace pyc::harness

#endif
