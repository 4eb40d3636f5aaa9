// The GPU behind a context. device_cuda.cpp implements it; without_cuda.cpp answers for a build without CUDA.
#pragma once

#include <cstddef>
#include <memory>

#include "compiler/runtime/problem.h"

namespace pyc::runtime {

bool built_with_cuda();

struct Device {
  int ordinal = PYC_DEVICE_HOST;
  int arch = 0;                        // 90 for compute capability 9.0; 0 for host memory
  bool reads_pageable_memory = false;  // plain host pointers are valid on the device

  bool is_host() const { return ordinal == PYC_DEVICE_HOST; }
};

// Finds the device. Errors: INVALID_VALUE (no such ordinal), NO_DEVICE, DRIVER_TOO_OLD, DEVICE_ERROR.
pyc_status open_device(int ordinal, Device *device);

// Makes the device current for its own lifetime, and the caller's device afterwards. Nothing for host memory.
class DeviceGuard {
 public:
  explicit DeviceGuard(const Device &device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard &) = delete;
  DeviceGuard &operator=(const DeviceGuard &) = delete;

  pyc_status status() const { return status_; }

 private:
  int caller_ordinal_ = PYC_DEVICE_HOST;  // to be restored, if any
  pyc_status status_ = PYC_STATUS_SUCCESS;
};

// The rest acts on the current device.

pyc_status is_capturing(void *stream, bool *capturing);

// INVALID_VALUE if one of the call's matrices is memory that the device cannot reach, or memory of another device.
pyc_status check_pointers(const Device &device, const Call &call);

// C := beta * C; beta == 0 writes zeros without reading.
pyc_status scale_on_device(const Call &call);

// Scratch memory for kernels: one buffer for each stream, so that calls on different streams never share one. A buffer
// lives until the context dies, because a captured graph may refer to it.
class Workspaces {
 public:
  static constexpr size_t kBytes = size_t(32) << 20;

  Workspaces();
  ~Workspaces();

  // The stream's buffer of kBytes, 256-byte aligned; allocated at the stream's first use. Errors: CAPTURE_UNSAFE if
  // that first use is in a capture, OUT_OF_MEMORY, DEVICE_ERROR.
  pyc_status acquire(void *stream, void **workspace);

 private:
  struct Buffers;
  pyc_status acquire_captured(void *stream, void **workspace);
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace pyc::runtime
