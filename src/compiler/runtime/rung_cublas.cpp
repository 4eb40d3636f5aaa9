// cuBLAS, opened at run time. It serves what cuBLASLt has no algorithm for.
#include <algorithm>
#include <cublas_v2.h>
#include <memory>
#include <mutex>
#include <string>

#include "compiler/runtime/column_major.h"
#include "compiler/runtime/cublas_types.h"
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
  decltype(&cublasGemmStridedBatchedEx_64) gemm_batched;

  explicit CublasLibrary(const std::string &folder) {
    library.open({"libcublas.so.13", "libcublas.so.12"}, folder);
    library.resolve("cublasCreate_v2", &create);
    library.resolve("cublasDestroy_v2", &destroy);
    library.resolve("cublasGetStatusString", &status_string);
    library.resolve("cublasSetStream_v2", &set_stream);
    library.resolve("cublasSetWorkspace_v2", &set_workspace);
    library.resolve("cublasSetMathMode", &set_math_mode);
    library.resolve("cublasGemmEx_64", &gemm);
    library.resolve("cublasGemmStridedBatchedEx_64", &gemm_batched);
  }
};

// A handle serves one stream at a time, so its calls take turns.
struct CublasHandle {
  CublasLibrary cublas;
  std::mutex mutex;
  cublasHandle_t handle = nullptr;

  explicit CublasHandle(const std::string &folder) : cublas(folder) {}
  ~CublasHandle() {
    if (handle != nullptr && driver_is_alive()) cublas.destroy(handle);
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

// With less than this cuBLAS fails (its manual, cublasSetWorkspace); with more it is faster.
constexpr size_t kLeastWorkspaceBytes = size_t(16) << 10;

class CublasPlan : public Plan {
 public:
  CublasPlan(std::shared_ptr<CublasHandle> shared, bool is_batch, size_t workspace_bytes)
      : shared_(std::move(shared)), is_batch_(is_batch), workspace_bytes_(workspace_bytes) {}

  pyc_status run(const Call &call) const override {
    const std::lock_guard lock(shared_->mutex);
    if (pyc_status status = prepare(call)) return status;
    return check_cublas(shared_->cublas, is_batch_ ? gemm_batched(call) : gemm(call), symbol());
  }

  size_t workspace_bytes() const override { return workspace_bytes_; }
  const char *symbol() const override { return is_batch_ ? "cublasGemmStridedBatchedEx_64" : "cublasGemmEx_64"; }

 private:
  // The handle is made by the first run and not by consider(), which must not allocate device memory. Setting a stream
  // resets the workspace, so the two belong together.
  pyc_status prepare(const Call &call) const {
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
    return check_cublas(cublas, cublas.set_workspace(handle, call.args.workspace, call.args.workspace_bytes),
                        "cublasSetWorkspace");
  }

  cublasStatus_t gemm(const Call &call) const {
    const pyc_gemm_args &x = call.args;
    const ColumnMajor cm = column_major(call.desc);
    const cudaDataType type = cuda_type(call.desc.dtype);
    return shared_->cublas.gemm(shared_->handle, operation(cm.first), operation(cm.second), cm.m, cm.n, cm.k, &x.alpha,
                                x.b, type, cm.first.ld, x.a, type, cm.second.ld, &x.beta, x.c, type, cm.ldc,
                                compute_type(call.desc), CUBLAS_GEMM_DEFAULT);
  }

  cublasStatus_t gemm_batched(const Call &call) const {
    const pyc_gemm_args &x = call.args;
    const pyc_gemm_desc &d = call.desc;
    const ColumnMajor cm = column_major(d);
    const cudaDataType type = cuda_type(d.dtype);
    return shared_->cublas.gemm_batched(shared_->handle, operation(cm.first), operation(cm.second), cm.m, cm.n, cm.k,
                                        &x.alpha, x.b, type, cm.first.ld, d.stride_b, x.a, type, cm.second.ld,
                                        d.stride_a, &x.beta, x.c, type, cm.ldc, d.stride_c, d.batch_count,
                                        compute_type(d), CUBLAS_GEMM_DEFAULT);
  }

  static cublasOperation_t operation(const ColumnMajor::Operand &operand) {
    return operand.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  }

  const std::shared_ptr<CublasHandle> shared_;
  const bool is_batch_;
  const size_t workspace_bytes_;
};

class RungCublas : public Rung {
 public:
  explicit RungCublas(const Settings &settings) : folder_(settings.cuda_library_folder) {}

  Decision consider(const Problem &problem) override {
    if (problem.on_host()) return Decision::refuse(PYC_REASON_HOST_CONTEXT);
    std::call_once(opened_, [this] { shared_ = std::make_shared<CublasHandle>(folder_); });
    const DynamicLibrary &library = shared_->cublas.library;
    if (!library.is_open()) return Decision::refuse(PYC_REASON_LIBRARY_MISSING, library.error());
    if (problem.max_workspace_bytes < kLeastWorkspaceBytes) {
      return Decision::refuse_workspace("cuBLAS", kLeastWorkspaceBytes, problem.max_workspace_bytes);
    }
    const size_t workspace_bytes = std::min(problem.max_workspace_bytes, Workspaces::kBytes);
    return Decision::accept(std::make_shared<CublasPlan>(shared_, problem.is_batch(), workspace_bytes), library.name());
  }

 private:
  const std::string folder_;
  std::once_flag opened_;
  std::shared_ptr<CublasHandle> shared_;
};

}  // namespace

std::unique_ptr<Rung> make_rung_cublas(const Settings &settings) { return std::make_unique<RungCublas>(settings); }

}  // namespace pyc::runtime
