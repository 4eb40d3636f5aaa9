// Kernels whose work or influence leaves the call: other streams, threads, graphs, settings that all kernels share.
// -DCHEAT= names which; kernels.txt says which check finds each.
#include <chrono>
#include <thread>

#include "gemm.h"

enum Cheat {
  none,
  own_stream,       // works on a stream that it made, which waits for the caller's but not the other way round
  own_free_stream,  // the same without waiting
  replays_graph,    // captures its first call and replays it ever after
  later_by_thread,  // returns at once; a thread launches the work 2 ms later
  persisting_l2,    // asks for persisting L2 and puts a window on A
  window_only,      // puts a window on A without asking for persisting L2
  cache_config,     // asks for shared memory instead of L1, for every kernel of the process
  stack_limit,      // a stack of 32 KB for every kernel of the process
  stream_priority,  // asks for the greatest priority for its stream
};

namespace cheat {
namespace {

pyc_status on_own_stream(const pyc_gemm_args &g, cudaStream_t stream, bool waits) {
  static cudaStream_t own = nullptr;
  static cudaEvent_t reached = nullptr;
  if (!own) {
    (void)cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    (void)cudaEventCreateWithFlags(&reached, cudaEventDisableTiming);
  }
  if (waits) {
    (void)cudaEventRecord(reached, stream);
    (void)cudaStreamWaitEvent(own, reached, 0);
  }
  return compute_honestly(g, own);
}

pyc_status by_replay(const pyc_gemm_args &g, cudaStream_t stream) {
  static cudaGraphExec_t replay = nullptr;
  if (!replay) {
    cudaStream_t scratch = nullptr;
    cudaGraph_t graph = nullptr;
    (void)cudaStreamCreateWithFlags(&scratch, cudaStreamNonBlocking);
    (void)cudaStreamBeginCapture(scratch, cudaStreamCaptureModeRelaxed);
    (void)compute_honestly(g, scratch);
    (void)cudaStreamEndCapture(scratch, &graph);
    (void)cudaGraphInstantiate(&replay, graph, 0);
  }
  return cudaGraphLaunch(replay, stream) == cudaSuccess ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
}

// Under capture it behaves: the stream that is captured may be gone when its thread wakes up.
pyc_status by_thread(const pyc_gemm_args &g, cudaStream_t stream) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  (void)cudaStreamIsCapturing(stream, &capture);
  if (capture != cudaStreamCaptureStatusNone) return compute_honestly(g, stream);
  std::thread([g, stream] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    (void)compute_honestly(g, stream);
  }).detach();
  return PYC_STATUS_SUCCESS;
}

pyc_status with_window(const pyc_gemm_args &g, cudaStream_t stream, bool asks) {
  if (asks) (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16u << 20);
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.base_ptr = const_cast<void *>(g.a);
  value.accessPolicyWindow.num_bytes = static_cast<size_t>(g.m * g.lda) * sizeof(float);
  value.accessPolicyWindow.hitRatio = 1.0f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  (void)cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
  (void)cudaGetLastError();
  return compute_honestly(g, stream);
}

// A stream that exists may refuse another priority; then nothing has changed.
void raise_priority(cudaStream_t stream) {
  cudaStreamAttrValue value{};
  int least = 0, greatest = 0;
  (void)cudaDeviceGetStreamPriorityRange(&least, &greatest);
  value.priority = greatest;
  (void)cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value);
  (void)cudaGetLastError();
}

pyc_status call(const pyc_gemm_args &g, cudaStream_t stream) {
  switch (CHEAT) {
    case own_stream: return on_own_stream(g, stream, true);
    case own_free_stream: return on_own_stream(g, stream, false);
    case replays_graph: return by_replay(g, stream);
    case later_by_thread: return by_thread(g, stream);
    case persisting_l2: return with_window(g, stream, true);
    case window_only: return with_window(g, stream, false);
    case cache_config: (void)cudaDeviceSetCacheConfig(cudaFuncCachePreferShared); break;
    case stack_limit: (void)cudaDeviceSetLimit(cudaLimitStackSize, 32 << 10); break;
    case stream_priority: raise_priority(stream); break;
    default: break;
  }
  return compute_honestly(g, stream);
}

}  // namespace
}  // namespace cheat

PYC_KERNEL pyc_status pyc_gemm_adversarial(const pyc_gemm_args *args, void *stream) {
  return cheat::call(*args, static_cast<cudaStream_t>(stream));
}
