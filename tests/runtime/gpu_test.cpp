// The device rungs on a real GPU. Without one every test is skipped and says so.
#include <array>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <utility>

#include "compiler/runtime/device.h"
#include "compiler/runtime/promoted.h"
#include "context_fixture.h"
#include "gemm_case.h"

namespace {

#define ASSERT_CUDA(call) ASSERT_EQ(call, cudaSuccess)
#define EXPECT_CUDA(call) EXPECT_EQ(call, cudaSuccess)

// Device memory with the contents of a host vector, `offset` bytes behind a 256-byte boundary.
class DeviceCopy {
 public:
  explicit DeviceCopy(const std::vector<float> &values, size_t offset = 0)
      : bytes_(values.size() * sizeof(float)), offset_(offset) {
    EXPECT_CUDA(cudaMalloc(&memory_, bytes_ + offset + 1));
    upload(values);
  }
  ~DeviceCopy() { cudaFree(memory_); }
  DeviceCopy(const DeviceCopy &) = delete;
  DeviceCopy &operator=(const DeviceCopy &) = delete;

  float *get() const { return reinterpret_cast<float *>(static_cast<char *>(memory_) + offset_); }
  void upload(const std::vector<float> &values) {
    EXPECT_CUDA(cudaMemcpy(get(), values.data(), bytes_, cudaMemcpyHostToDevice));
  }
  std::vector<float> download() const {
    std::vector<float> values(bytes_ / sizeof(float));
    EXPECT_CUDA(cudaMemcpy(values.data(), get(), bytes_, cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  void *memory_ = nullptr;
  size_t bytes_, offset_;
};

// A GemmCase with its matrices on the device.
struct DeviceCase {
  GemmCase host;
  DeviceCopy a, b, c;

  explicit DeviceCase(GemmCase x, size_t offset = 0)
      : host(std::move(x)), a(host.a, offset), b(host.b, offset), c(host.c, offset) {}

  pyc_status run(pyc_context *context, cudaStream_t stream = nullptr) const {
    return pyc_gemm(context, &host.desc, host.alpha, a.get(), b.get(), host.beta, c.get(), stream);
  }

  int64_t count_wrong() const {
    EXPECT_CUDA(cudaDeviceSynchronize());
    return host.count_wrong(host.c, c.download());
  }

  pyc_rung_report chosen(pyc_context *context, cudaStream_t stream = nullptr) const {
    std::array<pyc_rung_report, PYC_RUNG_COUNT> reports = {};
    reports[0].struct_size = sizeof reports[0];
    size_t count = 0;
    EXPECT_EQ(pyc_gemm_explain(context, &host.desc, host.alpha, a.get(), b.get(), host.beta, c.get(), stream,
                               reports.data(), reports.size(), &count),
              PYC_STATUS_SUCCESS)
        << pyc_last_error_detail();
    for (const pyc_rung_report &report : reports) {
      if (report.verdict == PYC_VERDICT_CHOSEN) return report;
    }
    return {};
  }
};

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no GPU on this machine";
    ASSERT_EQ(pyc::runtime::open_device(0, &device_), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  }

  // Every layout, with and without padding, alpha and beta, and unaligned pointers, through one rung.
  void expect_rung_is_right(pyc_rung rung) {
    const ContextPtr context = make_context(0);
    for (pyc_layout layout : {PYC_LAYOUT_NN, PYC_LAYOUT_NT, PYC_LAYOUT_TN, PYC_LAYOUT_TT}) {
      for (size_t offset : {0, 4}) {
        for (auto [alpha, beta] : {std::pair{1.0f, 0.0f}, {-0.5f, 2.0f}}) {
          GemmCase x(layout, 129, 65, 77, offset == 0 ? 0 : 3);
          x.alpha = alpha;
          x.beta = beta;
          if (beta != 0.0f) x.fill_c();
          const DeviceCase on_device(std::move(x), offset);
          ASSERT_EQ(on_device.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
          EXPECT_EQ(on_device.chosen(context.get()).rung, rung);
          EXPECT_EQ(on_device.count_wrong(), 0) << "layout " << layout << " offset " << offset << " beta " << beta;
        }
      }
    }
  }

  pyc::runtime::Device device_;
};

TEST_F(Gpu, CublasLtIsRight) {
  const ScopedVariable only("PYC_DISABLE_RUNGS", "promoted,cublas");
  expect_rung_is_right(PYC_RUNG_CUBLASLT);
}

TEST_F(Gpu, CublasIsRight) {
  const ScopedVariable only("PYC_DISABLE_RUNGS", "promoted,cublaslt");
  expect_rung_is_right(PYC_RUNG_CUBLAS);
}

TEST_F(Gpu, EveryPromotedKernelOfThisArchIsRightWhenForced) {
  int tried = 0;
  for (const auto &kernel : pyc::runtime::promoted_kernels()) {
    if (kernel.arch != "sm" + std::to_string(device_.arch)) continue;
    if (std::string(kernel.selector).find("gemm/fp32/nn/") != 0) continue;
    const ScopedVariable forced("PYC_PROMOTED_GEMM_SYMBOL", kernel.symbol);
    const ContextPtr context = make_context(0);
    const auto &r = kernel.requirements;
    const DeviceCase x(GemmCase(PYC_LAYOUT_NN, 24 * r.m_multiple, 20 * r.n_multiple * r.ld_multiple,
                                28 * r.k_multiple * r.ld_multiple));
    ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    EXPECT_STREQ(x.chosen(context.get()).symbol, kernel.symbol);
    EXPECT_EQ(x.count_wrong(), 0) << kernel.symbol;
    ++tried;
  }
  if (tried == 0) GTEST_SKIP() << "no fp32 nn kernel is promoted for sm" << device_.arch;
}

TEST_F(Gpu, APromotedKernelServesItsSelector) {
  for (const auto &kernel : pyc::runtime::promoted_kernels()) {
    if (kernel.arch != "sm" + std::to_string(device_.arch)) continue;
    if (std::string(kernel.selector) != "gemm/fp32/nn/square") continue;
    const ContextPtr context = make_context(0);
    const DeviceCase x(GemmCase(PYC_LAYOUT_NN, 640, 768, 512));
    ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    EXPECT_EQ(x.chosen(context.get()).rung, PYC_RUNG_PROMOTED);
    EXPECT_STREQ(x.chosen(context.get()).symbol, kernel.symbol);
    EXPECT_EQ(x.count_wrong(), 0);
    return;
  }
  GTEST_SKIP() << "nothing is promoted for gemm/fp32/nn/square on sm" << device_.arch;
}

TEST_F(Gpu, QuickAnswersScaleOnTheDevice) {
  const ContextPtr context = make_context(0);
  GemmCase x(PYC_LAYOUT_NN, 300, 70, 0, 2);
  const DeviceCase zero(x);
  ASSERT_EQ(zero.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(zero.count_wrong(), 0);
  x.beta = -3.0f;
  x.fill_c();
  const DeviceCase scaled(std::move(x));
  ASSERT_EQ(scaled.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(scaled.count_wrong(), 0);
}

TEST_F(Gpu, AWarmCallIsCapturedAndReplayedOverNewContents) {
  const ContextPtr context = make_context(0);
  DeviceCase x(GemmCase(PYC_LAYOUT_NN, 256, 256, 256));
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ASSERT_EQ(x.run(context.get(), stream), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  ASSERT_CUDA(cudaStreamSynchronize(stream));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(x.run(context.get(), stream), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  ASSERT_CUDA(cudaStreamEndCapture(stream, &graph));
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph, 0));

  for (float &value : x.host.a) value = -2.0f * value;
  x.a.upload(x.host.a);
  x.c.upload(x.host.c);
  ASSERT_CUDA(cudaGraphLaunch(executable, stream));
  EXPECT_EQ(x.count_wrong(), 0);
  EXPECT_CUDA(cudaGraphExecDestroy(executable));
  EXPECT_CUDA(cudaGraphDestroy(graph));
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST_F(Gpu, AColdCallInACaptureIsRefusedAndTheCaptureSurvives) {
  const ContextPtr context = make_context(0);
  const DeviceCase x(GemmCase(PYC_LAYOUT_NN, 64, 64, 64));
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  ASSERT_CUDA(cudaStreamCreate(&stream));
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(x.run(context.get(), stream), PYC_STATUS_CAPTURE_UNSAFE);
  EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
  EXPECT_CUDA(cudaGraphDestroy(graph));
  EXPECT_CUDA(cudaStreamDestroy(stream));
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(x.count_wrong(), 0);
}

TEST_F(Gpu, StreamsOfManyThreadsDoNotShareAWorkspace) {
  const ContextPtr context = make_context(0);
  std::array<std::thread, 4> threads;
  std::array<int64_t, 4> wrong = {};
  for (size_t t = 0; t < threads.size(); ++t) {
    threads[t] = std::thread([&, t] {
      GemmCase problem(PYC_LAYOUT_NN, 16, 64, 20000);
      for (float &value : problem.a) value *= float(t + 1);  // a foreign partial sum is a wrong one
      const DeviceCase x(std::move(problem));
      cudaStream_t stream = nullptr;
      EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      for (int i = 0; i < 10; ++i) EXPECT_EQ(x.run(context.get(), stream), PYC_STATUS_SUCCESS);
      wrong[t] = x.count_wrong();
      EXPECT_CUDA(cudaStreamDestroy(stream));
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<int64_t, 4>{}));
}

TEST_F(Gpu, AHostPointerIsRefusedAndTheDeviceLivesOn) {
  if (device_.reads_pageable_memory) GTEST_SKIP() << "this device reads pageable host memory";
  const ContextPtr context = make_context(0);
  const DeviceCase x(GemmCase(PYC_LAYOUT_NN, 32, 32, 32));
  EXPECT_EQ(pyc_gemm(context.get(), &x.host.desc, 1, x.host.a.data(), x.b.get(), 0, x.c.get(), nullptr),
            PYC_STATUS_INVALID_VALUE);
  EXPECT_EQ(std::string(pyc_last_error_detail()).substr(0, 5), "a is ");
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(x.count_wrong(), 0);
}

TEST_F(Gpu, Tf32IsUsedOnlyWhenAsked) {
  if (device_.arch < 80) GTEST_SKIP() << "no TF32 before sm80";
  const ScopedVariable only("PYC_DISABLE_RUNGS", "promoted");
  const ContextPtr context = make_context(0);
  DeviceCase x(GemmCase(PYC_LAYOUT_NN, 256, 256, 256));
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(x.count_wrong(), 0);
  x.host.desc.precision = PYC_PRECISION_ALLOW_TF32;
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_GT(x.count_wrong(), 0) << "TF32 rounds far beyond the fp32 bound";
}

TEST_F(Gpu, SixteenBitOnesSumExactly) {
  const ContextPtr context = make_context(0);
  const struct {
    pyc_dtype dtype;
    uint16_t one, sum;  // the bits of 1 and of 200
  } types[] = {{PYC_DTYPE_FP16, 0x3c00, 0x5a40}, {PYC_DTYPE_BF16, 0x3f80, 0x4348}};
  for (const auto &type : types) {
    const int64_t m = 24, n = 40, k = 200;
    std::vector<uint16_t> ones(size_t(k * n), type.one), got(size_t(m * n));
    void *a = nullptr, *c = nullptr;
    ASSERT_CUDA(cudaMalloc(&a, ones.size() * 2));
    ASSERT_CUDA(cudaMalloc(&c, got.size() * 2));
    ASSERT_CUDA(cudaMemcpy(a, ones.data(), ones.size() * 2, cudaMemcpyHostToDevice));
    const pyc_gemm_desc desc = pyc_gemm_desc_packed(type.dtype, PYC_LAYOUT_NT, m, n, k);
    ASSERT_EQ(pyc_gemm(context.get(), &desc, 1, a, a, 0, c, nullptr), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    ASSERT_CUDA(cudaMemcpy(got.data(), c, got.size() * 2, cudaMemcpyDeviceToHost));
    EXPECT_EQ(got, std::vector<uint16_t>(got.size(), type.sum));
    cudaFree(a);
    cudaFree(c);
  }
}

}  // namespace
