// The last rung: host memory, through a CBLAS found at run time, or else through the library's own loop.
#include <algorithm>
#include <limits>
#include <mutex>

#include "compiler/runtime/cpu_gemm.h"
#include "compiler/runtime/dynamic_library.h"
#include "compiler/runtime/names.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

// From the CBLAS reference: row-major is 101, CblasNoTrans 111, CblasTrans 112; sizes are int.
using CblasSgemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a,
                            int lda, const float *b, int ldb, float beta, float *c, int ldc);
constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112;

class CblasPlan : public Plan {
 public:
  explicit CblasPlan(CblasSgemm sgemm) : sgemm_(sgemm) {}

  pyc_status run(const Call &call) const override {
    const pyc_gemm_args &x = call.args;
    const int32_t layout = call.desc.layout;
    sgemm_(kRowMajor, layout == PYC_LAYOUT_TN || layout == PYC_LAYOUT_TT ? kTrans : kNoTrans,
           layout == PYC_LAYOUT_NT || layout == PYC_LAYOUT_TT ? kTrans : kNoTrans, int(x.m), int(x.n), int(x.k),
           x.alpha, static_cast<const float *>(x.a), int(x.lda), static_cast<const float *>(x.b), int(x.ldb), x.beta,
           static_cast<float *>(x.c), int(x.ldc));
    return PYC_STATUS_SUCCESS;
  }

  const char *symbol() const override { return "cblas_sgemm"; }

 private:
  const CblasSgemm sgemm_;
};

class OwnLoopPlan : public Plan {
 public:
  pyc_status run(const Call &call) const override {
    cpu_gemm_fp32(call);
    return PYC_STATUS_SUCCESS;
  }
  const char *symbol() const override { return "cpu_gemm_fp32"; }
};

bool fits_int(const pyc_gemm_desc &d) {
  return std::max({d.m, d.n, d.k, d.lda, d.ldb, d.ldc}) <= std::numeric_limits<int>::max();
}

class RungCpu : public Rung {
 public:
  Decision consider(const Problem &problem) override {
    if (!problem.on_host()) return Decision::refuse(PYC_REASON_DEVICE_CONTEXT);
    const pyc_gemm_desc &desc = problem.desc();
    if (desc.dtype != PYC_DTYPE_FP32) return Decision::refuse(PYC_REASON_DTYPE, dtype_name(desc.dtype));
    if (desc.determinism == PYC_DETERMINISM_REPEATABLE) return own_loop("repeatable bits were asked for");
    if (!fits_int(desc)) return own_loop("a size is beyond the int of CBLAS");
    std::call_once(opened_, [this] { open_cblas(); });
    if (!cblas_.is_open()) return own_loop(cblas_.error());
    return Decision::accept(std::make_shared<CblasPlan>(sgemm_), cblas_.name());
  }

 private:
  static Decision own_loop(std::string why) {
    return Decision::accept(std::make_shared<OwnLoopPlan>(), "the library's own loop: " + why);
  }

  void open_cblas() {
    cblas_.open({"libopenblas.so.0", "libopenblas.so", "libblis.so.4", "libblis.so", "libmkl_rt.so.2",
                 "/System/Library/Frameworks/Accelerate.framework/Accelerate"});
    cblas_.resolve("cblas_sgemm", &sgemm_);
  }

  std::once_flag opened_;
  DynamicLibrary cblas_;
  CblasSgemm sgemm_ = nullptr;
};

}  // namespace

std::unique_ptr<Rung> make_rung_cpu() { return std::make_unique<RungCpu>(); }

}  // namespace pyc::runtime
