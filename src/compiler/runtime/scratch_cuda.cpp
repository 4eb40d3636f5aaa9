#include <cuda_runtime_api.h>

#include "compiler/runtime/cuda_status.h"
#include "compiler/runtime/scratch.h"
#include "compiler/runtime/spans.h"

namespace pyc::runtime {
namespace {

constexpr int kFillByte = 0x3c;        // 0.011 in fp32 and bf16, 1.06 in fp16
constexpr size_t kMaxAlignment = 256;  // of cudaMalloc

pyc_status reserve(size_t bytes, void **memory) {
  return check_cuda(cudaMalloc(memory, bytes + kMaxAlignment), "cudaMalloc of scratch memory");
}

// The address in `memory` that has this alignment and no larger one.
void *aligned(void *memory, uint32_t alignment) {
  return static_cast<char *>(memory) + (alignment < kMaxAlignment ? alignment : 0);
}

}  // namespace

Scratch::~Scratch() {
  for (void *memory : {a_, b_, c_, workspace_}) {
    if (cudaFree(memory) != cudaSuccess) cudaGetLastError();  // the next launch must not find it
  }
}

pyc_status Scratch::allocate(const Problem &problem, size_t workspace_bytes, void *stream) {
  const Spans spans = spans_of(problem.desc());
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  workspace_bytes_ = workspace_bytes;
  if (pyc_status status = reserve(spans.a_bytes, &a_)) return status;
  if (pyc_status status = reserve(spans.b_bytes, &b_)) return status;
  if (pyc_status status = reserve(spans.c_bytes, &c_)) return status;
  if (pyc_status status = workspace_bytes == 0 ? PYC_STATUS_SUCCESS : reserve(workspace_bytes, &workspace_))
    return status;
  const cudaError_t filled_a = cudaMemsetAsync(a_, kFillByte, spans.a_bytes + kMaxAlignment, cuda_stream);
  const cudaError_t filled_b = cudaMemsetAsync(b_, kFillByte, spans.b_bytes + kMaxAlignment, cuda_stream);
  return check_cuda(filled_a != cudaSuccess ? filled_a : filled_b, "cudaMemsetAsync of scratch memory");
}

Call Scratch::call(const Problem &problem, void *stream) const {
  Call call = make_call(problem.desc(), 1.0f, aligned(a_, problem.align_a), aligned(b_, problem.align_b), 0.0f,
                        aligned(c_, problem.align_c), stream);
  call.args.workspace = workspace_;
  call.args.workspace_bytes = workspace_bytes_;
  return call;
}

}  // namespace pyc::runtime
