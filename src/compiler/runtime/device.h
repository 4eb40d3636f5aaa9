// The GPU behind a context. device_cuda.cpp and device_guard.cpp implement it; without_cuda.cpp answers for a build
// without CUDA.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "compiler/runtime/problem.h"

namespace pyc::runtime {

bool built_with_cuda();

// The toolkit of this build and the newest that the driver runs, as 1000 * major + 10 * minor; 0 for none.
int cuda_built_version();
int cuda_driver_version();

// Whether CUDA still answers; not so after the process's exit handlers have begun.
bool driver_is_alive();

// The driver's functions about the current context of a thread, named as it names them without "cu". CUresult is an int
// and CUcontext a pointer. The runtime's cudaSetDevice cannot put back a context that the caller made, or none, and its
// cudaGetDevice takes a notable part of what a warm call may cost.
struct DriverCalls {
  int (*ctx_get_device)(int *handle) = nullptr;
  int (*ctx_push_current)(void *context) = nullptr;
  int (*ctx_pop_current)(void **context) = nullptr;
  int (*device_primary_ctx_retain)(void **context, int handle) = nullptr;
  int (*get_error_name)(int error, const char **name) = nullptr;
};

struct Device {
  int ordinal = PYC_DEVICE_HOST;
  int arch = 0;                        // 90 for compute capability 9.0; 0 for host memory
  bool reads_pageable_memory = false;  // plain host pointers are valid on the device

  DriverCalls driver = {};
  int driver_handle = 0;
  std::shared_ptr<std::atomic<void *>> primary_context = {};  // once it was needed; copies of the device share it

  bool is_host() const { return ordinal == PYC_DEVICE_HOST; }
  bool is_current() const {
    int current = 0;
    return driver.ctx_get_device != nullptr && driver.ctx_get_device(&current) == 0 && current == driver_handle;
  }
};

// Finds the device. Errors: INVALID_VALUE (no such ordinal), NO_DEVICE, DRIVER_TOO_OLD, DEVICE_ERROR.
pyc_status open_device(int ordinal, Device *device);

// What CUDA answered when it was asked for devices.
struct NoDevice {
  int driver_version, built_version;  // as above
  bool insufficient_driver;           // so CUDA says of an old driver, and of none
  const char *sentence;               // CUDA's own
};

// NO_DEVICE or DRIVER_TOO_OLD.
pyc_status missing_device(const NoDevice &answer);

// Makes the device current for its own lifetime, and afterwards the context that the caller had, or none. Nothing for
// host memory, and where the device is current already: in a context of the caller's own, the call runs in that one.
class DeviceGuard {
 public:
  explicit DeviceGuard(const Device &device) {
    if (!device.is_host() && !device.is_current()) make_current(device);
  }
  ~DeviceGuard() {
    if (pop_ != nullptr) restore();
  }
  DeviceGuard(const DeviceGuard &) = delete;
  DeviceGuard &operator=(const DeviceGuard &) = delete;

  pyc_status status() const { return status_; }

 private:
  void make_current(const Device &device);
  void restore() const;

  int (*pop_)(void **context) = nullptr;  // nullptr: nothing was pushed
  pyc_status status_ = PYC_STATUS_SUCCESS;
};

// For its lifetime, what this thread allocates does not invalidate a capture that another thread has under way.
// Does nothing for host memory, where there may be no CUDA to ask.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(bool on_device = true);
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

 private:
  static constexpr int kUnchanged = -1;
  [[maybe_unused]] int mode_ = kUnchanged;  // the thread's own, to be restored
};

// The rest acts on the current device.

pyc_status is_capturing(void *stream, bool *capturing);
pyc_status synchronize(void *stream);

// INVALID_VALUE if the pointer, an argument of that name, is memory that the device cannot reach, or memory of another
// device.
pyc_status check_pointer(const Device &device, const char *name, const void *pointer);

// INVALID_VALUE if the stream, which is not being captured, belongs to another device.
pyc_status check_stream(const Device &device, void *stream);

// C := beta * C; beta == 0 writes zeros without reading.
pyc_status scale_on_device(const Call &call);

// Scratch memory for kernels: one buffer for each stream, so that calls on different streams never share one. A buffer
// lives until the context dies, because a captured graph may refer to it.
class Workspaces {
 public:
  static constexpr size_t kBytes = PYC_WORKSPACE_BYTES;

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
