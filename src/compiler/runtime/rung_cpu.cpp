// The last rung: host memory, through a CBLAS found at run time, or else by the library's own loops.
#include <mutex>

#include "compiler/runtime/batch.h"
#include "compiler/runtime/cpu_gemm.h"
#include "compiler/runtime/dynamic_library.h"
#include "compiler/runtime/rung.h"

namespace pyc::runtime {
namespace {

class CblasPlan : public Plan {
 public:
  explicit CblasPlan(CblasSgemm sgemm) : sgemm_(sgemm) {}

  pyc_status run(const Call &call) const override {
    return for_each_product(call, [&](const pyc_gemm_args &args) {
      cpu_gemm_by_cblas(sgemm_, call.desc, args);
      return PYC_STATUS_SUCCESS;
    });
  }
  const char *symbol() const override { return "cblas_sgemm"; }

 private:
  const CblasSgemm sgemm_;
};

class OwnLoopPlan : public Plan {
 public:
  pyc_status run(const Call &call) const override {
    return for_each_product(call, [&](const pyc_gemm_args &args) {
      cpu_gemm(call.desc, args);
      return PYC_STATUS_SUCCESS;
    });
  }
  const char *symbol() const override { return "cpu_gemm"; }
};

class RungCpu : public Rung {
 public:
  explicit RungCpu(const Settings &settings) : requested_(settings.cblas) {}

  Decision consider(const Problem &problem) override {
    if (!problem.on_host()) return Decision::refuse(PYC_REASON_DEVICE_CONTEXT);
    const pyc_gemm_desc &desc = problem.desc();
    if (requested_ == "none") return own_loops("PYC_CBLAS=none");
    if (desc.determinism == PYC_DETERMINISM_REPEATABLE) return own_loops("repeatable bits were asked for");
    std::call_once(opened_, [this] { open_cblas(); });
    if (cblas_.is_open()) return Decision::accept(lend(*cblas_plan_), cblas_.name());
    if (requested_.empty()) return own_loops(cblas_.error());
    return Decision::refuse(PYC_REASON_LIBRARY_MISSING, "PYC_CBLAS=" + requested_ + ": " + cblas_.error());
  }

 private:
  // The two plans depend on nothing of the problem and live as long as the rung. A pointer without a count spares
  // threads that use one plan the traffic of counting.
  static std::shared_ptr<const Plan> lend(const Plan &plan) { return {std::shared_ptr<const Plan>(), &plan}; }

  Decision own_loops(const std::string &why) const {
    return Decision::accept(lend(own_plan_), "the library's own loops: " + why);
  }

  void open_cblas() {
    if (requested_.empty()) {
      cblas_.open({"libopenblas.so.0", "libopenblas.so", "libblis.so.4", "libblis.so", "libmkl_rt.so.2",
                   "/System/Library/Frameworks/Accelerate.framework/Accelerate"});
    } else {
      cblas_.open({requested_.c_str()});
    }
    CblasSgemm sgemm = nullptr;
    cblas_.resolve("cblas_sgemm", &sgemm);
    if (cblas_.is_open() && !multiplies(sgemm)) cblas_.reject("gives a wrong product");
    cblas_plan_ = std::make_unique<CblasPlan>(sgemm);
  }

  const std::string requested_;
  const OwnLoopPlan own_plan_;
  std::once_flag opened_;
  DynamicLibrary cblas_;
  std::unique_ptr<CblasPlan> cblas_plan_;
};

}  // namespace

std::unique_ptr<Rung> make_rung_cpu(const Settings &settings) { return std::make_unique<RungCpu>(settings); }

}  // namespace pyc::runtime
