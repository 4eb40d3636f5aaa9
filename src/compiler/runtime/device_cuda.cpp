#include <cuda_runtime_api.h>

#include "compiler/cutlass_kernels/scale_kernel.h"
#include "compiler/runtime/cuda_status.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/dynamic_library.h"

namespace pyc::runtime {
namespace {

// CUDA 12.8 is the first that tells. Before, a stream of another device fails when the kernel is launched on it.
cudaError_t device_of_stream([[maybe_unused]] cudaStream_t stream, [[maybe_unused]] int *device) {
#if CUDART_VERSION >= 12080
  const cudaError_t error = cudaStreamGetDevice(stream, device);
  if (error != cudaErrorCallRequiresNewerDriver) return error;
  cudaGetLastError();
#endif
  return cudaSuccess;
}

// The runtime has opened the same library; the names are those of its binary interface.
pyc_status open_driver(Device *device) {
  int (*device_get)(int *handle, int ordinal) = nullptr;
  DriverCalls &calls = device->driver;
  DynamicLibrary driver;
  driver.open({"libcuda.so.1"});
  driver.resolve("cuDeviceGet", &device_get);
  driver.resolve("cuCtxGetDevice", &calls.ctx_get_device);
  driver.resolve("cuCtxPushCurrent_v2", &calls.ctx_push_current);
  driver.resolve("cuCtxPopCurrent_v2", &calls.ctx_pop_current);
  driver.resolve("cuDevicePrimaryCtxRetain", &calls.device_primary_ctx_retain);
  driver.resolve("cuGetErrorName", &calls.get_error_name);
  if (!driver.is_open()) return fail(PYC_STATUS_NO_DEVICE, "no usable driver: %s", driver.error().c_str());
  const int error = device_get(&device->driver_handle, device->ordinal);
  if (error != 0) return fail(PYC_STATUS_DEVICE_ERROR, "cuDeviceGet of %d: error %d", device->ordinal, error);
  device->primary_context = std::make_shared<std::atomic<void *>>(nullptr);
  return PYC_STATUS_SUCCESS;
}

}  // namespace

bool built_with_cuda() { return true; }

int cuda_built_version() { return CUDART_VERSION; }

int cuda_driver_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

bool driver_is_alive() {
  int device = 0;
  return cudaGetDevice(&device) != cudaErrorCudartUnloading;
}

pyc_status open_device(int ordinal, Device *device) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    cudaGetLastError();
    return missing_device(
        {cuda_driver_version(), cuda_built_version(), error == cudaErrorInsufficientDriver, cudaGetErrorString(error)});
  }
  if (ordinal < 0 || ordinal >= count) {
    return fail(PYC_STATUS_INVALID_VALUE, "device is %d: this machine has %d, numbered from 0", ordinal, count);
  }
  int major = 0, minor = 0, pageable = 0;
  const cudaDeviceAttr attributes[] = {cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor,
                                       cudaDevAttrPageableMemoryAccess};
  int *const values[] = {&major, &minor, &pageable};
  for (int i = 0; i < 3; ++i) {
    const cudaError_t queried = cudaDeviceGetAttribute(values[i], attributes[i], ordinal);
    if (pyc_status status = check_cuda(queried, "cudaDeviceGetAttribute")) return status;
  }
  *device = {ordinal, major * 10 + minor, pageable != 0};
  return open_driver(device);
}

pyc_status is_capturing(void *stream, bool *capturing) {
  cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
  const cudaError_t error = cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &state);
  // The legacy stream cannot be used while a blocking stream is being captured; asking does no harm to the capture.
  *capturing = error == cudaErrorStreamCaptureImplicit || state != cudaStreamCaptureStatusNone;
  if (error == cudaErrorStreamCaptureImplicit) {
    cudaGetLastError();
    return PYC_STATUS_SUCCESS;
  }
  return check_cuda(error, "cudaStreamIsCapturing");
}

pyc_status synchronize(void *stream) {
  return check_cuda(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "cudaStreamSynchronize");
}

RelaxedCapture::RelaxedCapture(bool on_device) {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  if (on_device && cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess) mode_ = mode;
}

RelaxedCapture::~RelaxedCapture() {
  if (mode_ == kUnchanged) return;
  auto mode = static_cast<cudaStreamCaptureMode>(mode_);
  cudaThreadExchangeStreamCaptureMode(&mode);
}

pyc_status check_pointer(const Device &device, const char *name, const void *pointer) {
  cudaPointerAttributes attributes = {};
  if (pyc_status status = check_cuda(cudaPointerGetAttributes(&attributes, pointer), "cudaPointerGetAttributes")) {
    return status;
  }
  if (attributes.type == cudaMemoryTypeUnregistered && !device.reads_pageable_memory) {
    return fail(PYC_STATUS_INVALID_VALUE, "%s is %p: a host pointer, and the context is for device %d", name, pointer,
                device.ordinal);
  }
  if (attributes.type == cudaMemoryTypeDevice && attributes.device != device.ordinal) {
    return fail(PYC_STATUS_INVALID_VALUE, "%s is %p: memory of device %d, and the context is for device %d", name,
                pointer, attributes.device, device.ordinal);
  }
  return PYC_STATUS_SUCCESS;
}

// The default streams belong to whichever device is current, and that is ours.
pyc_status check_stream(const Device &device, void *stream) {
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  if (stream == nullptr || cuda_stream == cudaStreamLegacy || cuda_stream == cudaStreamPerThread) {
    return PYC_STATUS_SUCCESS;
  }
  int owner = device.ordinal;
  if (pyc_status status = check_cuda(device_of_stream(cuda_stream, &owner), "cudaStreamGetDevice")) return status;
  if (owner == device.ordinal) return PYC_STATUS_SUCCESS;
  return fail(PYC_STATUS_INVALID_VALUE, "stream is %p: a stream of device %d, and the context is for device %d", stream,
              owner, device.ordinal);
}

pyc_status scale_on_device(const Call &call) {
  const pyc_gemm_args &args = call.args;
  const pyc_gemm_desc &desc = call.desc;
  const int error = launch_scale(desc.dtype, args.c, args.m, args.n, args.ldc, desc.batch_count, desc.stride_c,
                                 args.beta, call.stream);
  return check_cuda(static_cast<cudaError_t>(error), "launch of the scale kernel");
}

}  // namespace pyc::runtime
