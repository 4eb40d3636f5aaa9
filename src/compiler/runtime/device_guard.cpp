// The device's primary context, which is the one that the CUDA runtime uses too, is pushed and popped: whatever the
// caller's thread had as current lies under it untouched.
#include "compiler/runtime/device.h"
#include "compiler/runtime/errors.h"

namespace pyc::runtime {
namespace {

constexpr int kOutOfMemory = 2;  // CUDA_ERROR_OUT_OF_MEMORY

pyc_status check_driver(const DriverCalls &driver, int error, const char *call) {
  if (error == 0) return PYC_STATUS_SUCCESS;
  const char *name = nullptr;
  if (driver.get_error_name(error, &name) != 0 || name == nullptr) name = "unknown error";
  return fail(error == kOutOfMemory ? PYC_STATUS_OUT_OF_MEMORY : PYC_STATUS_DEVICE_ERROR, "%s: %s (%d)", call, name,
              error);
}

// Retained at a device's first need and never released, as the runtime's own: our memory lives in it until the process
// ends. Threads that come at once may retain it twice.
pyc_status find_primary_context(const Device &device, void **context) {
  *context = device.primary_context->load(std::memory_order_acquire);
  if (*context != nullptr) return PYC_STATUS_SUCCESS;
  const int error = device.driver.device_primary_ctx_retain(context, device.driver_handle);
  if (pyc_status status = check_driver(device.driver, error, "cuDevicePrimaryCtxRetain")) return status;
  device.primary_context->store(*context, std::memory_order_release);
  return PYC_STATUS_SUCCESS;
}

}  // namespace

void DeviceGuard::make_current(const Device &device) {
  void *context = nullptr;
  status_ = find_primary_context(device, &context);
  if (status_ != PYC_STATUS_SUCCESS) return;
  status_ = check_driver(device.driver, device.driver.ctx_push_current(context), "cuCtxPushCurrent");
  if (status_ == PYC_STATUS_SUCCESS) pop_ = device.driver.ctx_pop_current;
}

void DeviceGuard::restore() const {
  void *ours = nullptr;
  pop_(&ours);
}

}  // namespace pyc::runtime
