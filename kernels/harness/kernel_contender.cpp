// The candidate, and kernels from shared objects: incumbents and others.
#include <dlfcn.h>

#include "contender.h"

namespace pyc::harness {
namespace {

class KernelContender : public Contender {
 public:
  KernelContender(Kernel kernel, bool workspace, const Requires &requires_)
      : kernel_(kernel), workspace_(workspace), requires_(requires_) {}

  std::string prepare(const Preparation &preparation) override {
    const std::string why = unmet(requires_, preparation.operands.shape());
    if (!why.empty()) return "its requires exclude the shape: " + why;
    const pyc_gemm_args args = preparation.operands.args(1.0f, 0.0f);
    for (const int64_t ld : {args.lda, args.ldb, args.ldc}) {
      if (ld % requires_.ld_multiple) return "its requires exclude a leading dimension of " + std::to_string(ld);
    }
    return "";
  }

  size_t workspace_bytes(const pyc_gemm_args &args) const override { return workspace_ ? kernel_.workspace(&args) : 0; }

  pyc_status launch(const pyc_gemm_args &args, cudaStream_t stream) override { return kernel_.run(&args, stream); }

  bool is_kernel() const override { return true; }

 private:
  Kernel kernel_;
  bool workspace_;
  Requires requires_;
};

}  // namespace

std::unique_ptr<Contender> make_candidate(const Session &session) {
  return std::make_unique<KernelContender>(session.candidate, session.request.workspace, session.request.requires_);
}

// The library stays open to the end of the process: kernels of it may still be loaded.
Entrant open_library(const ContenderRequest &request) {
  Entrant entrant{request.role, request.name, "", nullptr};
  void *const library = dlopen(request.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    entrant.reason = std::string("the library cannot be opened: ") + dlerror();
    return entrant;
  }
  void *const run = dlsym(library, request.symbol.c_str());
  void *const workspace = dlsym(library, (request.symbol + "_workspace").c_str());
  if (!run || (request.workspace && !workspace)) {
    entrant.reason = "the library lacks the symbol " + request.symbol + (run ? "_workspace" : "");
    return entrant;
  }
  const Kernel kernel{request.symbol.c_str(), reinterpret_cast<pyc_gemm_kernel>(run),
                      reinterpret_cast<pyc_gemm_workspace_query>(workspace)};
  entrant.contender = std::make_unique<KernelContender>(kernel, request.workspace, request.requires_);
  return entrant;
}

}  // namespace pyc::harness
