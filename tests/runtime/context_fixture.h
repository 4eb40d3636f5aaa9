// A context for a test, and environment variables that last as long as a scope.
#pragma once

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "pyc/gemm.h"

struct ContextDeleter {
  void operator()(pyc_context *context) const { pyc_context_destroy(context); }
};
using ContextPtr = std::unique_ptr<pyc_context, ContextDeleter>;

inline ContextPtr make_context(int32_t device = PYC_DEVICE_HOST) {
  pyc_context *context = nullptr;
  EXPECT_EQ(pyc_context_create(device, &context), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  return ContextPtr(context);
}

class ScopedVariable {
 public:
  ScopedVariable(const char *name, const char *value) : name_(name) { setenv(name, value, 1); }
  ~ScopedVariable() { unsetenv(name_.c_str()); }
  ScopedVariable(const ScopedVariable &) = delete;
  ScopedVariable &operator=(const ScopedVariable &) = delete;

 private:
  std::string name_;
};
