// What a device context cannot serve is refused by name, nothing is launched, and the context goes on working.
#include <thread>

#include "compiler/runtime/dynamic_library.h"
#include "gpu_fixture.h"

namespace {

class GpuBadInput : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    context_ = make_context(0);
    x_ = arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 32, 32, 32), 1.0f, 0.0f);
  }

  // The call with one argument replaced is INVALID_VALUE and its detail begins with `argument`; the right call works
  // before and after.
  void expect_refused(const std::string &argument, const Product &spoilt, cudaStream_t stream = nullptr) {
    for (bool warm : {false, true}) {
      EXPECT_EQ(run(context_.get(), spoilt, stream), PYC_STATUS_INVALID_VALUE) << (warm ? "warm" : "cold");
      const std::string detail = pyc_last_error_detail();
      EXPECT_EQ(detail.substr(0, detail.find(' ')), argument) << detail;
      Arena::reset_c(x_);
      ASSERT_EQ(run(context_.get(), x_), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
      expect_right(x_, "after a refused call");
    }
  }

  ContextPtr context_;
  Product x_ = {};
};

TEST_F(GpuBadInput, HostPointersAreNamedColdAndWarm) {
  if (device_.reads_pageable_memory) GTEST_SKIP() << "this device reads pageable host memory";
  std::vector<float> host(32 * 32);
  Product spoilt = x_;
  spoilt.a = host.data();
  expect_refused("a", spoilt);
  spoilt = x_;
  spoilt.b = host.data();
  expect_refused("b", spoilt);
  spoilt = x_;
  spoilt.c = host.data();
  expect_refused("c", spoilt);
  spoilt.alpha = 0.0f;  // a quick answer would write it too
  expect_refused("c", spoilt);
}

TEST_F(GpuBadInput, PinnedAndManagedMemoryAreServed) {
  void *pinned = nullptr, *managed = nullptr;
  ASSERT_CUDA(cudaMallocHost(&pinned, 32 * 32 * 4));
  ASSERT_CUDA(cudaMallocManaged(&managed, 32 * 32 * 4));
  for (void *c : {pinned, managed}) {
    Product x = x_;
    x.c = c;
    Arena::reset_c(x);
    ASSERT_EQ(run(context_.get(), x), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    expect_right(x, c == pinned ? "pinned" : "managed");
  }
  EXPECT_CUDA(cudaFreeHost(pinned));
  EXPECT_CUDA(cudaFree(managed));
}

TEST_F(GpuBadInput, AStreamAndMemoryOfAnotherDeviceAreNamed) {
  int count = 0;
  ASSERT_CUDA(cudaGetDeviceCount(&count));
  if (count < 2) GTEST_SKIP() << "one GPU on this machine";
  ASSERT_CUDA(cudaSetDevice(1));
  const Stream foreign_stream;
  const DeviceMemory foreign_memory(32 * 32 * 4);
  ASSERT_CUDA(cudaSetDevice(0));
  expect_refused("stream", x_, foreign_stream.get());
  Product spoilt = x_;
  spoilt.a = foreign_memory.get();
  expect_refused("a", spoilt);
}

TEST_F(GpuBadInput, TheCallersDeviceIsCurrentAfterEveryCall) {
  int count = 0;
  ASSERT_CUDA(cudaGetDeviceCount(&count));
  const int callers = count - 1;  // another device where there is one
  ASSERT_CUDA(cudaSetDevice(callers));
  const auto expect_current = [&](const char *after) {
    int current = -1;
    EXPECT_CUDA(cudaGetDevice(&current));
    EXPECT_EQ(current, callers) << after;
  };
  ContextPtr second = make_context(0);
  expect_current("pyc_context_create");
  EXPECT_EQ(run(second.get(), x_), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_current("pyc_gemm");
  EXPECT_EQ(run(second.get(), x_), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_current("a warm pyc_gemm");
  explain(second.get(), x_);
  expect_current("pyc_gemm_explain");
  EXPECT_EQ(pyc_gemm_warmup(second.get(), &x_.desc, nullptr, nullptr), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_current("pyc_gemm_warmup");
  pyc_gemm_plan *plan = nullptr;
  EXPECT_EQ(pyc_gemm_plan_create(second.get(), &x_.desc, nullptr, &plan), PYC_STATUS_SUCCESS);
  expect_current("pyc_gemm_plan_create");
  second.reset();
  pyc_gemm_plan_destroy(plan);
  expect_current("the destruction of context and plan");
  ASSERT_CUDA(cudaSetDevice(0));
}

TEST_F(GpuBadInput, ACublasThatDoesNotLoadIsAReasonAndNoCrash) {
  const ScopedVariable nowhere("PYC_CUDA_LIBRARY_DIR", "/no_such_folder");
  const ScopedVariable only("PYC_DISABLE_RUNGS", "promoted,cutlass,cpu");
  const ContextPtr context = make_context(0);
  EXPECT_EQ(run(context.get(), x_), PYC_STATUS_NO_KERNEL);
  const std::string detail = pyc_last_error_detail();
  EXPECT_NE(detail.find("cublaslt: the library cannot be opened"), std::string::npos) << detail;
  EXPECT_NE(detail.find("cublas: the library cannot be opened"), std::string::npos) << detail;
  EXPECT_NE(detail.find("/no_such_folder"), std::string::npos) << detail;
  const Reports reports = explain(context.get(), x_);
  EXPECT_EQ(reports[PYC_RUNG_CUBLASLT].reason, PYC_REASON_LIBRARY_MISSING);
  EXPECT_EQ(reports[PYC_RUNG_CUBLAS].reason, PYC_REASON_LIBRARY_MISSING);
}

TEST_F(GpuBadInput, AForcedKernelThatCannotServeFailsWithoutAFallback) {
  for (const auto &kernel : pyc::runtime::promoted_kernels()) {
    const ScopedVariable forced("PYC_PROMOTED_GEMM_SYMBOL", kernel.symbol);
    const ContextPtr context = make_context(0);
    Product x = x_;
    x.desc = pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_TT, 32, 32, 32);
    if (std::string_view(kernel.selector).starts_with("gemm/bf16/tt/")) continue;
    EXPECT_EQ(run(context.get(), x), PYC_STATUS_NO_KERNEL) << kernel.symbol;
    EXPECT_NE(std::string(pyc_last_error_detail()).find("PYC_PROMOTED_GEMM_SYMBOL"), std::string::npos);
  }
}

TEST_F(GpuBadInput, ABuildSaysWhatItRunsOn) {
  pyc_build build = {};
  build.struct_size = sizeof build;
  ASSERT_EQ(pyc_build_query(&build), PYC_STATUS_SUCCESS);
  int driver = 0;
  ASSERT_CUDA(cudaDriverGetVersion(&driver));
  EXPECT_EQ(build.cuda_driver, driver);
  EXPECT_EQ(build.cuda_built, CUDART_VERSION);
  EXPECT_EQ(size_t(build.promoted_kernels), pyc::runtime::promoted_kernels().size());
}

// The context that is current in this thread, nullptr if there is none.
void *current_context() {
  int (*get_current)(void **context) = nullptr;
  pyc::runtime::DynamicLibrary driver;
  driver.open({"libcuda.so.1"});
  driver.resolve("cuCtxGetCurrent", &get_current);
  void *context = nullptr;
  EXPECT_TRUE(driver.is_open() && get_current(&context) == 0);
  return context;
}

TEST_F(GpuBadInput, AThreadWithoutACudaContextIsServedAndHasNoneAfterwards) {
  int count = 0;
  ASSERT_CUDA(cudaGetDeviceCount(&count));
  const ContextPtr last = make_context(count - 1);
  std::thread([&] {
    ASSERT_EQ(current_context(), nullptr);
    for (pyc_context *context : {context_.get(), last.get()}) {
      for (bool warm : {false, true}) {
        if (context == context_.get() || count == 1) {
          EXPECT_EQ(run(context, x_), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
        } else {
          EXPECT_EQ(run(context, x_), PYC_STATUS_INVALID_VALUE) << "memory of another device";
        }
        EXPECT_EQ(current_context(), nullptr) << (warm ? "warm" : "cold");
      }
    }
  }).join();
  expect_right(x_, "from a thread without a context");
}

TEST_F(GpuBadInput, AContextOfTheCallersOwnOnAnotherDeviceIsCurrentAgain) {
  int count = 0;
  ASSERT_CUDA(cudaGetDeviceCount(&count));
  if (count < 2) GTEST_SKIP() << "one GPU on this machine";
  int (*create)(void **context, unsigned flags, int handle) = nullptr;
  int (*destroy)(void *context) = nullptr;
  pyc::runtime::DynamicLibrary driver;
  driver.open({"libcuda.so.1"});
  driver.resolve("cuCtxCreate_v2", &create);
  driver.resolve("cuCtxDestroy_v2", &destroy);
  void *own = nullptr;
  ASSERT_TRUE(driver.is_open() && create(&own, 0, 1) == 0);
  EXPECT_EQ(run(context_.get(), x_), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(current_context(), own);
  EXPECT_EQ(destroy(own), 0);  // and pops it
  ASSERT_CUDA(cudaSetDevice(0));
  expect_right(x_, "called from another context");
}

}  // namespace
