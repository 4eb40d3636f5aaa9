// What the files that need the CUDA toolkit are in a build without it.
#include "compiler/runtime/device.h"
#include "compiler/runtime/errors.h"
#include "compiler/runtime/rung.h"
#include "compiler/runtime/scratch.h"

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
int cuda_built_version() { return 0; }
int cuda_driver_version() { return 0; }
bool driver_is_alive() { return false; }
pyc_status open_device(int, Device *) { return built_without_cuda(); }
pyc_status is_capturing(void *, bool *) { return built_without_cuda(); }
pyc_status synchronize(void *) { return built_without_cuda(); }
pyc_status check_pointer(const Device &, const char *, const void *) { return built_without_cuda(); }
pyc_status check_stream(const Device &, void *) { return built_without_cuda(); }
pyc_status scale_on_device(const Call &) { return built_without_cuda(); }

RelaxedCapture::RelaxedCapture(bool) {}
RelaxedCapture::~RelaxedCapture() = default;

struct Workspaces::Buffers {};
Workspaces::Workspaces() = default;
Workspaces::~Workspaces() = default;
pyc_status Workspaces::acquire(void *, void **) { return built_without_cuda(); }

Scratch::~Scratch() = default;
pyc_status Scratch::allocate(const Problem &, size_t, void *) { return built_without_cuda(); }
Call Scratch::call(const Problem &problem, void *) const { return problem.call; }

std::unique_ptr<Rung> make_rung_cublas_lt(const Settings &) { return std::make_unique<RungWithoutCuda>(); }
std::unique_ptr<Rung> make_rung_cublas(const Settings &) { return std::make_unique<RungWithoutCuda>(); }

}  // namespace pyc::runtime
