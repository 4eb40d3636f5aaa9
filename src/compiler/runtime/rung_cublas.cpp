// The third rung: cuBLAS, opened at run time. It serves what cuBLASLt has no algorithm for.
#include <cublas_v2.h>
#include <memory>
#include <mutex>
#include <string>

#include "compiler/runtime/column_major.h"
#include "compiler/runtime/cuda_status.h"
#include "compiler/runtime/device.h"
#include "compiler/runtime/dynamic_library.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

struct CublasLibrary {
  DynamicLibrary library;
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasGetStatusString) status_string;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasSetWorkspace_v2) set_workspace;
  decltype(&cublasSetMathMode) set_math_mode;
  decltype(&cublasGemmEx_64) gemm;

  CublasLibrary() {
    library.open({"libcublas.so.13", "libcublas.so.12"});
    library.resolve("cublasCreate_v2", &create);
    library.resolve("cublasDestroy_v2", &destroy);
    library.resolve("cublasGetStatusString", &status_string);
    library.resolve("cublasSetStream_v2", &set_stream);
    library.resolve("cublasSetWorkspace_v2", &set_workspace);
    library.resolve("cublasSetMathMode", &set_math_mode);
    library.resolve("cublasGemmEx_64", &gemm);
  }
};

// A handle serves one stream at a time, so its calls take turns.
struct CublasHandle {
  CublasLibrary cublas;
  std::mutex mutex;
  cublasHandle_t handle = nullptr;

  ~CublasHandle() {
    if (handle != nullptr) cublas.destroy(handle);
  }
};

pyc_status check_cublas(const CublasLibrary &cublas, cublasStatus_t status, const char *call) {
  if (status == CUBLAS_STATUS_SUCCESS) return PYC_STATUS_SUCCESS;
  const bool refused = status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE;
  const bool memory = status == CUBLAS_STATUS_ALLOC_FAILED;
  return fail(refused  ? PYC_STATUS_UNSUPPORTED
              : memory ? PYC_STATUS_OUT_OF_MEMORY
                       : PYC_STATUS_DEVICE_ERROR,
              "%s: %s", call, cublas.status_string(status));
}

class CublasPlan : public Plan {
 public:
  CublasPlan(std::shared_ptr<CublasHandle> shared, Workspaces &workspaces)
      : shared_(std::move(shared)), workspaces_(workspaces) {}

  pyc_status run(const Call &call) const override {
    void *workspace = nullptr;
    if (pyc_status status = workspaces_.acquire(call.stream, &workspace)) return status;
    const std::lock_guard lock(shared_->mutex);
    if (pyc_status status = prepare(call, workspace)) return status;
    return gemm(call);
  }

  const char *symbol() const override { return "cublasGemmEx_64"; }

 private:
  // The handle is made by the first run and not by consider(), which must not allocate device memory. Setting a stream
  // resets the workspace, so the two belong together.
  pyc_status prepare(const Call &call, void *workspace) const {
    const CublasLibrary &cublas = shared_->cublas;
    cublasHandle_t &handle = shared_->handle;
    if (handle == nullptr) {
      if (pyc_status status = check_cublas(cublas, cublas.create(&handle), "cublasCreate")) return status;
      const auto mode = cublasMath_t(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
      if (pyc_status status = check_cublas(cublas, cublas.set_math_mode(handle, mode), "cublasSetMathMode")) {
        return status;
      }
    }
    const auto stream = static_cast<cudaStream_t>(call.stream);
    if (pyc_status status = check_cublas(cublas, cublas.set_stream(handle, stream), "cublasSetStream")) return status;
    return check_cublas(cublas, cublas.set_workspace(handle, workspace, Workspaces::kBytes), "cublasSetWorkspace");
  }

  pyc_status gemm(const Call &call) const {
    const pyc_gemm_args &x = call.args;
    const ColumnMajor cm = column_major(call.desc);
    const bool tf32 = call.desc.dtype == PYC_DTYPE_FP32 && call.desc.precision == PYC_PRECISION_ALLOW_TF32;
    const cudaDataType type = call.desc.dtype == PYC_DTYPE_FP32   ? CUDA_R_32F
                              : call.desc.dtype == PYC_DTYPE_FP16 ? CUDA_R_16F
                                                                  : CUDA_R_16BF;
    const cublasStatus_t status =
        shared_->cublas.gemm(shared_->handle, cm.first.transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                             cm.second.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, cm.m, cm.n, cm.k, &x.alpha, x.b, type,
                             cm.first.ld, x.a, type, cm.second.ld, &x.beta, x.c, type, cm.ldc,
                             tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    return check_cublas(shared_->cublas, status, "cublasGemmEx_64");
  }

  const std::shared_ptr<CublasHandle> shared_;
  Workspaces &workspaces_;
};

class RungCublas : public Rung {
 public:
  explicit RungCublas(Workspaces &workspaces) : workspaces_(workspaces) {}

  Decision consider(const Problem &problem) override {
    if (problem.on_host()) return Decision::refuse(PYC_REASON_HOST_CONTEXT);
    std::call_once(opened_, [this] { shared_ = std::make_shared<CublasHandle>(); });
    const DynamicLibrary &library = shared_->cublas.library;
    if (!library.is_open()) return Decision::refuse(PYC_REASON_LIBRARY_MISSING, library.error());
    return Decision::accept(std::make_shared<CublasPlan>(shared_, workspaces_), library.name());
  }

 private:
  Workspaces &workspaces_;
  std::once_flag opened_;
  std::shared_ptr<CublasHandle> shared_;
};

}  // namespace

std::unique_ptr<Rung> make_rung_cublas(Workspaces &workspaces) { return std::make_unique<RungCublas>(workspaces); }

}  // namespace pyc::runtime
