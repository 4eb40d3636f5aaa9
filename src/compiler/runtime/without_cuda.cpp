// What device_cuda.cpp, workspaces_cuda.cpp, rung_cublas_lt.cpp and rung_cublas.cpp are in a build without CUDA.
#include "compiler/runtime/device.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

class RungWithoutCuda : public Rung {
 public:
  Decision consider(const Problem &) override { return Decision::refuse(PYC_REASON_BUILT_WITHOUT_CUDA); }
};

pyc_status built_without_cuda() {
  return fail(PYC_STATUS_NO_DEVICE,
              "this library was built without CUDA: configure with -DPYC_ENABLE_CUDA_RUNTIME=ON, or use "
              "PYC_DEVICE_HOST");
}

}  // namespace

bool built_with_cuda() { return false; }
pyc_status open_device(int, Device *) { return built_without_cuda(); }
pyc_status is_capturing(void *, bool *) { return built_without_cuda(); }
pyc_status check_pointers(const Device &, const Call &) { return built_without_cuda(); }
pyc_status scale_on_device(const Call &) { return built_without_cuda(); }

DeviceGuard::DeviceGuard(const Device &device) {
  if (!device.is_host()) status_ = built_without_cuda();
}
DeviceGuard::~DeviceGuard() = default;

struct Workspaces::Buffers {};
Workspaces::Workspaces() = default;
Workspaces::~Workspaces() = default;
pyc_status Workspaces::acquire(void *, void **) { return built_without_cuda(); }

std::unique_ptr<Rung> make_rung_cublas_lt(Workspaces &) { return std::make_unique<RungWithoutCuda>(); }
std::unique_ptr<Rung> make_rung_cublas(Workspaces &) { return std::make_unique<RungWithoutCuda>(); }

}  // namespace pyc::runtime
