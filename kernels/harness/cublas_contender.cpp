// cuBLAS: cublasGemmEx with its own choice of algorithm, fp32 accumulation, never TF32.
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#define PYC_HAVE_CUBLAS 1
#endif

#include <climits>

#include "contender.h"
#include "vendor_library.h"

namespace pyc::harness {

#ifdef PYC_HAVE_CUBLAS
namespace {

// Spelled out because the header overloads cublasGemmEx for C++.
using GemmEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                                  const void *, cudaDataType, int, const void *, cudaDataType, int, const void *,
                                  void *, cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);

struct Functions {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasGetVersion_v2) version;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasSetWorkspace_v2) set_workspace;
  decltype(&cublasSetMathMode) set_math_mode;
  GemmEx gemm;

  explicit Functions(const VendorLibrary &library) {
    library.look_up("cublasCreate_v2", &create);
    library.look_up("cublasGetVersion_v2", &version);
    library.look_up("cublasSetStream_v2", &set_stream);
    library.look_up("cublasSetWorkspace_v2", &set_workspace);
    library.look_up("cublasSetMathMode", &set_math_mode);
    library.look_up("cublasGemmEx", &gemm);
  }
};

cudaDataType_t data_type(DType dtype) {
  return dtype == DType::fp32 ? CUDA_R_32F : dtype == DType::fp16 ? CUDA_R_16F : CUDA_R_16BF;
}

class CublasContender : public Contender {
 public:
  explicit CublasContender(const VendorLibrary &library)
      : blas_(library), workspace_(static_cast<int64_t>(kVendorWorkspaceBytes)) {
    if (blas_.create(&handle_) != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cublasCreate failed");
    if (blas_.set_math_mode(handle_, CUBLAS_DEFAULT_MATH) != CUBLAS_STATUS_SUCCESS) {
      throw std::runtime_error("cublasSetMathMode failed");
    }
  }

  std::string prepare(const Preparation &preparation) override {
    const pyc_gemm_args args = preparation.operands.args(1.0f, 0.0f);
    for (const int64_t value : {args.m, args.n, args.k, args.lda, args.ldb, args.ldc}) {
      if (value > INT_MAX) return "an extent exceeds 2^31 - 1";
    }
    type_ = data_type(preparation.operands.c().pattern.dtype);
    a_operation_ = preparation.operands.a().place.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    b_operation_ = preparation.operands.b().place.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    // Setting the stream takes the workspace away again, hence the order.
    const bool set = blas_.set_stream(handle_, preparation.stream) == CUBLAS_STATUS_SUCCESS &&
                     blas_.set_workspace(handle_, workspace_.data(), kVendorWorkspaceBytes) == CUBLAS_STATUS_SUCCESS;
    return set ? "" : "cublasSetStream or cublasSetWorkspace failed";
  }

  size_t workspace_bytes(const pyc_gemm_args &) const override { return 0; }

  pyc_status launch(const pyc_gemm_args &args, cudaStream_t) override {
    const auto as_int = [](int64_t value) { return static_cast<int>(value); };
    const cublasStatus_t status =
        blas_.gemm(handle_, b_operation_, a_operation_, as_int(args.n), as_int(args.m), as_int(args.k), &args.alpha,
                   args.b, type_, as_int(args.ldb), args.a, type_, as_int(args.lda), &args.beta, args.c, type_,
                   as_int(args.ldc), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    return status == CUBLAS_STATUS_SUCCESS ? PYC_STATUS_SUCCESS : PYC_STATUS_DEVICE_ERROR;
  }

  std::string detail() const override {
    int version = 0;
    (void)blas_.version(handle_, &version);
    return "cuBLAS " + std::to_string(version);
  }

 private:
  Functions blas_;
  cublasHandle_t handle_ = nullptr;  // lives as long as the process
  Buffer workspace_;
  cudaDataType_t type_ = CUDA_R_32F;
  cublasOperation_t a_operation_ = CUBLAS_OP_N, b_operation_ = CUBLAS_OP_N;
};

}  // namespace
#endif

Entrant open_cublas(const Session &session) {
  Entrant entrant{"cublas", "cublas", "", nullptr};
#ifdef PYC_HAVE_CUBLAS
  try {
    const VendorLibrary library(session.request.vendor_library_dirs, {"libcublas.so.13", "libcublas.so.12"});
    entrant.contender = std::make_unique<CublasContender>(library);
  } catch (const std::runtime_error &error) {
    entrant.reason = error.what();
  }
#else
  (void)session;
  entrant.reason = "the toolkit that built the harness has no cublas_v2.h";
#endif
  return entrant;
}

}  // namespace pyc::harness
