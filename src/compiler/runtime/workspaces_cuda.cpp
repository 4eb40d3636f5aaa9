#include <atomic>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "compiler/runtime/cuda_status.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/read_mostly.h"

namespace pyc::runtime {
namespace {

// Never used again, as an address in the thread would be by the next thread. Odd, and so no handle of a stream.
void *name_of_own_stream() {
  static std::atomic<uintptr_t> next = 3;
  static constinit thread_local uintptr_t name = 0;
  if (name == 0) name = next.fetch_add(2, std::memory_order_relaxed);
  return reinterpret_cast<void *>(name);
}

// What a handle stands for in this thread: cudaStreamPerThread is another stream in each.
void *name_of(void *stream) { return stream == cudaStreamPerThread ? name_of_own_stream() : stream; }

}  // namespace

// Keyed by the stream's id: a handle may be reused by a new stream while the old one's work is still running. While a
// stream is being captured its id cannot be asked for (that would end the capture), so the handle's last buffer serves.
struct Workspaces::Buffers {
  ReadMostlyMutex mutex;
  std::unordered_map<unsigned long long, void *> by_id;
  std::unordered_map<void *, void *> by_handle;

  // The buffer of the handle, whichever stream it belongs to; nullptr if none.
  void *find(void *stream) {
    std::shared_lock lock(mutex);
    const auto found = by_handle.find(name_of(stream));
    return found == by_handle.end() ? nullptr : found->second;
  }

  // The buffer that the id and the handle agree on; nullptr if none.
  void *find_settled(unsigned long long id, void *stream) {
    std::shared_lock lock(mutex);
    const auto of_id = by_id.find(id);
    const auto of_handle = by_handle.find(name_of(stream));
    if (of_id == by_id.end() || of_handle == by_handle.end()) return nullptr;
    return of_id->second == of_handle->second ? of_id->second : nullptr;
  }
};

Workspaces::Workspaces() : buffers_(std::make_unique<Buffers>()) {}

Workspaces::~Workspaces() {
  for (const auto &[stream, buffer] : buffers_->by_id) cudaFree(buffer);  // the driver may be gone at exit
}

namespace {

pyc_status allocate(size_t bytes, void **memory) {
  const RelaxedCapture relaxed;
  return check_cuda(cudaMalloc(memory, bytes), "cudaMalloc of a workspace");
}

}  // namespace

pyc_status Workspaces::acquire(void *stream, void **workspace) {
  bool capturing = false;
  if (pyc_status status = is_capturing(stream, &capturing)) return status;
  if (capturing) return acquire_captured(stream, workspace);
  unsigned long long id = 0;
  const cudaError_t error = cudaStreamGetId(static_cast<cudaStream_t>(stream), &id);
  if (pyc_status status = check_cuda(error, "cudaStreamGetId")) return status;
  *workspace = buffers_->find_settled(id, stream);
  if (*workspace != nullptr) return PYC_STATUS_SUCCESS;

  std::unique_lock lock(buffers_->mutex);
  void *&buffer = buffers_->by_id[id];
  const pyc_status status = buffer == nullptr ? allocate(kBytes, &buffer) : PYC_STATUS_SUCCESS;
  *workspace = buffers_->by_handle[name_of(stream)] = buffer;
  if (status != PYC_STATUS_SUCCESS) {
    buffers_->by_id.erase(id);
    buffers_->by_handle.erase(name_of(stream));
  }
  return status;
}

pyc_status Workspaces::acquire_captured(void *stream, void **workspace) {
  *workspace = buffers_->find(stream);
  if (*workspace != nullptr) return PYC_STATUS_SUCCESS;
  return fail(PYC_STATUS_CAPTURE_UNSAFE, "the stream has no workspace yet: make one call on it before the capture");
}

}  // namespace pyc::runtime
