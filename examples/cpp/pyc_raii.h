// The C API as C++ values: what was created is destroyed, and what failed is thrown. Copy it into a program of yours.
#pragma once

#include <array>
#include <memory>
#include <stdexcept>
#include <string>

#include "pyc/gemm.h"

namespace pyc_example {

// A status that is not success, with the sentence behind it.
class Error : public std::runtime_error {
 public:
  Error(const char *call, pyc_status status)
      : std::runtime_error(std::string(call) + ": " + pyc_status_string(status) + "\n  " + pyc_last_error_detail()),
        status(status) {}
  const pyc_status status;
};

inline void check(const char *call, pyc_status status) {
  if (status != PYC_STATUS_SUCCESS) throw Error(call, status);
}

// Takes a function that frees and makes it a deleter.
template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T *object) const {
    destroy(object);
  }
};

class Context {
 public:
  // A CUDA ordinal, or PYC_DEVICE_HOST.
  explicit Context(int32_t device) {
    pyc_context *context = nullptr;
    check("pyc_context_create", pyc_context_create(device, &context));
    context_.reset(context);
  }

  pyc_context *get() const { return context_.get(); }

 private:
  std::unique_ptr<pyc_context, Destroy<pyc_context_destroy>> context_;
};

// One descriptor, decided once. It may outlive the context that made it, and threads may share it.
class Plan {
 public:
  // `alignment`: bytes that every pointer of every run will be a multiple of.
  Plan(const Context &context, const pyc_gemm_desc &desc, uint32_t alignment) {
    pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
    options.align_a = options.align_b = options.align_c = alignment;
    pyc_gemm_plan *plan = nullptr;
    check("pyc_gemm_plan_create", pyc_gemm_plan_create(context.get(), &desc, &options, &plan));
    plan_.reset(plan);
  }

  // C = alpha * op(A) * op(B) + beta * C on `stream`.
  void run(float alpha, const void *a, const void *b, float beta, void *c, void *stream = nullptr) const {
    check("pyc_gemm_plan_run", pyc_gemm_plan_run(plan_.get(), alpha, a, b, beta, c, nullptr, 0, stream));
  }

  // What every rung said, one line each, in the order of the chain.
  std::string explain() const {
    std::array<pyc_rung_report, PYC_RUNG_SLOTS> reports = {};
    reports[0].struct_size = sizeof(pyc_rung_report);
    size_t count = 0;
    check("pyc_gemm_plan_explain", pyc_gemm_plan_explain(plan_.get(), reports.data(), reports.size(), &count));
    std::string text(pyc_explanation_text(reports.data(), count, nullptr, 0) + 1, '\0');
    pyc_explanation_text(reports.data(), count, text.data(), text.size());
    text.pop_back();
    return text;
  }

 private:
  std::unique_ptr<pyc_gemm_plan, Destroy<pyc_gemm_plan_destroy>> plan_;
};

}  // namespace pyc_example
