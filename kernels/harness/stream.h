// A stream that does not synchronise with the default stream, and a pair of events on it.
#ifndef PYC_HARNESS_STREAM_H
#define PYC_HARNESS_STREAM_H

#include <cuda_runtime_api.h>

#include "fatal.h"

namespace pyc::harness {

class Stream {
 public:
  Stream() { PYC_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { (void)cudaStreamDestroy(stream_); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  operator cudaStream_t() const { return stream_; }
  void synchronize() const { PYC_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

// Whether nothing runs or waits on the two streams that every kernel can name: the legacy default stream and the
// thread's own.
inline bool default_streams_idle() {
  bool idle = true;
  for (const cudaStream_t stream : {cudaStreamLegacy, cudaStreamPerThread}) {
    const cudaError_t state = cudaStreamQuery(stream);
    if (state == cudaErrorNotReady)
      (void)cudaGetLastError();
    else
      PYC_CUDA(state);
    idle = idle && state == cudaSuccess;
  }
  return idle;
}

class Event {
 public:
  Event() { PYC_CUDA(cudaEventCreate(&event_)); }
  ~Event() { (void)cudaEventDestroy(event_); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace pyc::harness

#endif
