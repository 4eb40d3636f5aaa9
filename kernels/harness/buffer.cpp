#include "buffer.h"

#include <cstring>
#include <cuda_runtime_api.h>
#include <string>

#include "fatal.h"
#include "fenced_mapping.h"

namespace pyc::harness {

Buffer::Buffer(int64_t bytes) : bytes_(bytes) {
  const cudaError_t error = cudaMalloc(&data_, static_cast<size_t>(bytes > 0 ? bytes : 1));
  if (error != cudaErrorMemoryAllocation) {
    check_cuda(error, "cudaMalloc", __FILE__, __LINE__);
    return;
  }
  (void)cudaGetLastError();
  size_t free_bytes = 0, total_bytes = 0;
  PYC_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
  throw Fatal{kExitCudaError,
              "out_of_memory",
              "needs " + std::to_string(bytes) + " bytes of device memory, " + std::to_string(free_bytes) + " are free",
              "cudaMalloc",
              "buffer.cpp",
              __LINE__,
              cudaGetErrorName(error)};
}

Buffer::~Buffer() {
  if (!mapping_) (void)cudaFree(data_);
}

Buffer Buffer::fenced(int64_t bytes, const Driver &driver) {
  auto fence = std::make_shared<FencedMapping>(bytes, driver);
  Buffer buffer;
  buffer.data_ = fence->data();
  buffer.bytes_ = fence->bytes();
  buffer.mapping_ = std::move(fence);
  return buffer;
}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapping_, other.mapping_);
  return *this;
}

MappedBuffer::MappedBuffer(size_t bytes) {
  PYC_CUDA(cudaHostAlloc(&host_, bytes, cudaHostAllocMapped));
  std::memset(host_, 0, bytes);
  PYC_CUDA(cudaHostGetDevicePointer(&device_, host_, 0));
}

MappedBuffer::~MappedBuffer() { (void)cudaFreeHost(host_); }

}  // namespace pyc::harness
