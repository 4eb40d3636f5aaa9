#include "compiler/runtime/cublas_lt_measure.h"

#include <algorithm>
#include <cstdio>
#include <cuda_runtime_api.h>

#include "compiler/runtime/cuda_status.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/scratch.h"

namespace pyc::runtime {
namespace {

constexpr int kSamples = 5;

// A stream and two events of its own; the first failure among the calls that made or used them.
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  ~Stopwatch() {
    if (begin_ != nullptr) cudaEventDestroy(begin_);
    if (end_ != nullptr) cudaEventDestroy(end_);
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

  cudaStream_t stream() const { return stream_; }
  cudaError_t error() const { return error_; }

  void start() { check(cudaEventRecord(begin_, stream_)); }

  // Waits for the work since start(), and returns its time.
  float stop_us() {
    float time_ms = 0.0f;
    check(cudaEventRecord(end_, stream_));
    check(cudaEventSynchronize(end_));
    if (error_ == cudaSuccess) check(cudaEventElapsedTime(&time_ms, begin_, end_));
    return time_ms * 1e3f;
  }

 private:
  void check(cudaError_t error) {
    if (error_ == cudaSuccess) error_ = error;
  }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  cudaError_t error_ = cudaSuccess;
};

std::string time_text(float time_us) {
  char text[64];
  std::snprintf(text, sizeof text, "fastest measured, %.1f us", double(time_us));
  return text;
}

LtChoice not_measured(const LtAlgorithm &first, const std::string &why) {
  return {first, "proposed first, not measured: " + why};
}

}  // namespace

cublasStatus_t lt_matmul(const LtLibrary &lt, cublasLtHandle_t handle, const LtDescriptors &d,
                         const LtAlgorithm &algorithm, const Call &call) {
  const pyc_gemm_args &x = call.args;
  return lt.matmul(handle, d.operation, &x.alpha, x.b, d.first, x.a, d.second, &x.beta, x.c, d.c, x.c, d.c,
                   &algorithm.algorithm, x.workspace, algorithm.workspace_bytes,
                   static_cast<cudaStream_t>(call.stream));
}

LtChoice fastest_algorithm(const LtLibrary &lt, cublasLtHandle_t handle, const LtDescriptors &descriptors,
                           const std::vector<LtAlgorithm> &algorithms, const Problem &problem) {
  const RelaxedCapture relaxed;  // another thread's capture must survive the allocations
  size_t workspace_bytes = 0;
  for (const LtAlgorithm &algorithm : algorithms)
    workspace_bytes = std::max(workspace_bytes, algorithm.workspace_bytes);
  Stopwatch stopwatch;
  Scratch scratch;
  if (scratch.allocate(problem, workspace_bytes, stopwatch.stream()) != PYC_STATUS_SUCCESS) {
    return not_measured(algorithms.front(), last_error_detail());
  }
  const Call call = scratch.call(problem, stopwatch.stream());
  LtChoice best = not_measured(algorithms.front(), "no algorithm ran");
  float best_us = 0.0f;
  for (const LtAlgorithm &algorithm : algorithms) {
    if (lt_matmul(lt, handle, descriptors, algorithm, call) != CUBLAS_STATUS_SUCCESS) continue;  // also loads the code
    float time_us = 0.0f;
    for (int i = 0; i < kSamples; ++i) {
      stopwatch.start();
      lt_matmul(lt, handle, descriptors, algorithm, call);
      const float sample_us = stopwatch.stop_us();
      time_us = i == 0 ? sample_us : std::min(time_us, sample_us);
    }
    if (stopwatch.error() != cudaSuccess)
      return not_measured(algorithms.front(), cudaGetErrorString(stopwatch.error()));
    if (best_us == 0.0f || time_us < best_us) best = {algorithm, time_text(best_us = time_us)};
  }
  return best;
}

}  // namespace pyc::runtime
