#include <cuda_runtime_api.h>

#include "compiler/cutlass_kernels/scale_kernel.h"
#include "compiler/runtime/cuda_status.h"
#include "compiler/runtime/device.h"

namespace pyc::runtime {
namespace {

// The runtime answers InsufficientDriver both for an old driver and for none at all.
pyc_status explain_missing_device(cudaError_t error) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (driver == 0) return fail(PYC_STATUS_NO_DEVICE, "no NVIDIA driver is loaded on this machine");
  if (error == cudaErrorInsufficientDriver) {
    return fail(PYC_STATUS_DRIVER_TOO_OLD, "the driver supports CUDA %d.%d, this library was built with %d.%d",
                driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  }
  return fail(PYC_STATUS_NO_DEVICE, "no usable GPU: %s", cudaGetErrorString(error));
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

}  // namespace

bool built_with_cuda() { return true; }

pyc_status open_device(int ordinal, Device *device) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) return explain_missing_device(error);
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
  return PYC_STATUS_SUCCESS;
}

DeviceGuard::DeviceGuard(const Device &device) {
  if (device.is_host()) return;
  int current = 0;
  status_ = check_cuda(cudaGetDevice(&current), "cudaGetDevice");
  if (status_ != PYC_STATUS_SUCCESS || current == device.ordinal) return;
  status_ = check_cuda(cudaSetDevice(device.ordinal), "cudaSetDevice");
  if (status_ == PYC_STATUS_SUCCESS) caller_ordinal_ = current;
}

DeviceGuard::~DeviceGuard() {
  if (caller_ordinal_ != PYC_DEVICE_HOST) cudaSetDevice(caller_ordinal_);
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

pyc_status check_pointers(const Device &device, const Call &call) {
  if (pyc_status status = check_pointer(device, "a", call.args.a)) return status;
  if (pyc_status status = check_pointer(device, "b", call.args.b)) return status;
  return check_pointer(device, "c", call.args.c);
}

pyc_status scale_on_device(const Call &call) {
  const pyc_gemm_args &args = call.args;
  const int error = launch_scale(call.desc.dtype, args.c, args.m, args.n, args.ldc, args.beta, call.stream);
  return check_cuda(static_cast<cudaError_t>(error), "launch of the scale kernel");
}

}  // namespace pyc::runtime
