#include "capture.h"

#include "fatal.h"
#include "stream.h"

namespace pyc::harness {

CapturedCall::CapturedCall(pyc_gemm_kernel run, const pyc_gemm_args &args) {
  const Stream stream;
  PYC_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  answer_ = run(&args, static_cast<cudaStream_t>(stream));
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph_);
  const cudaError_t left = cudaGetLastError();
  if (ended != cudaSuccess) {
    broken_ = std::string("the capture broke: ") + cudaGetErrorString(ended);
  } else if (left != cudaSuccess) {
    broken_ = std::string("the call left an error: ") + cudaGetErrorString(left);
  }
}

CapturedCall::~CapturedCall() {
  if (executable_) (void)cudaGraphExecDestroy(executable_);
  if (graph_) (void)cudaGraphDestroy(graph_);
}

std::string CapturedCall::refusal() const {
  if (answer_ != PYC_STATUS_SUCCESS) return "the call answered status " + std::to_string(answer_) + " under capture";
  return broken_;
}

std::vector<cudaGraphNode_t> CapturedCall::nodes() const {
  size_t count = 0;
  if (!graph_) return {};
  PYC_CUDA(cudaGraphGetNodes(graph_, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  if (count) PYC_CUDA(cudaGraphGetNodes(graph_, nodes.data(), &count));
  return nodes;
}

void CapturedCall::replay(cudaStream_t stream) {
  if (!executable_) PYC_CUDA(cudaGraphInstantiate(&executable_, graph_, 0));
  PYC_CUDA(cudaGraphLaunch(executable_, stream));
}

}  // namespace pyc::harness
