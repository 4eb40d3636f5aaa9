#include "compiler/runtime/device.h"
#include "compiler/runtime/errors.h"

namespace pyc::runtime {

pyc_status missing_device(const NoDevice &answer) {
  const int driver = answer.driver_version, built = answer.built_version;
  if (driver == 0) return fail(PYC_STATUS_NO_DEVICE, "no NVIDIA driver is loaded on this machine");
  if (!answer.insufficient_driver) return fail(PYC_STATUS_NO_DEVICE, "no usable GPU: %s", answer.sentence);
  return fail(PYC_STATUS_DRIVER_TOO_OLD, "the driver supports CUDA %d.%d, this library was built with %d.%d",
              driver / 1000, driver % 1000 / 10, built / 1000, built % 1000 / 10);
}

}  // namespace pyc::runtime
