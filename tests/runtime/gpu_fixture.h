// What the tests on a GPU share. Without a GPU every test is skipped and says so.
#pragma once

#include <array>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/runtime/device.h"
#include "compiler/runtime/promoted.h"
#include "compiler/runtime/spans.h"
#include "context_fixture.h"
#include "gpu_reference.h"

#define ASSERT_CUDA(call) ASSERT_EQ(call, cudaSuccess)
#define EXPECT_CUDA(call) EXPECT_EQ(call, cudaSuccess)

inline constexpr pyc_layout kLayouts[] = {PYC_LAYOUT_NN, PYC_LAYOUT_NT, PYC_LAYOUT_TN, PYC_LAYOUT_TT};
inline constexpr pyc_dtype kDtypes[] = {PYC_DTYPE_FP32, PYC_DTYPE_FP16, PYC_DTYPE_BF16};
inline constexpr pyc_rung kDeviceRungs[] = {PYC_RUNG_PROMOTED, PYC_RUNG_CUTLASS, PYC_RUNG_CUBLASLT, PYC_RUNG_CUBLAS};

// The value of PYC_DISABLE_RUNGS that leaves one rung.
inline std::string all_but(pyc_rung rung) {
  std::string others;
  for (int32_t other = 0; other < PYC_RUNG_COUNT; ++other) {
    if (other == rung) continue;
    if (!others.empty()) others += ',';
    others += pyc_rung_name(other);
  }
  return others;
}

class DeviceMemory {
 public:
  explicit DeviceMemory(size_t bytes) { EXPECT_CUDA(cudaMalloc(&memory_, bytes)); }
  ~DeviceMemory() { cudaFree(memory_); }
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  char *get() const { return static_cast<char *>(memory_); }

 private:
  void *memory_ = nullptr;
};

// Room for the operands of a test's problems, so that not every problem allocates. A and B are filled once for each
// dtype; C before each product.
class Arena {
 public:
  // For operands that span at most so many bytes.
  explicit Arena(size_t bytes) : bytes_(bytes + 512), a_(bytes_), b_(bytes_), c_(bytes_) {}

  void fill(int32_t dtype) {
    const int64_t count = int64_t(bytes_) / pyc::runtime::dtype_bytes(dtype);
    EXPECT_CUDA(fill_uniform(dtype, a_.get(), count, 11));
    EXPECT_CUDA(fill_uniform(dtype, b_.get(), count, 12));
  }

  // A product in this memory with pointers `offset` bytes behind a 256-byte boundary. C holds NaN where beta is 0, and
  // numbers otherwise.
  Product product(const pyc_gemm_desc &desc, float alpha, float beta, size_t offset = 0) const {
    const Product x = {
        desc, alpha, beta, a_.get() + offset, b_.get() + offset, c_.get() + offset, beta == 0.0f ? 0u : 13u};
    reset_c(x);
    return x;
  }

  static void reset_c(const Product &x) {
    const size_t bytes = pyc::runtime::spans_of(x.desc).c_bytes;
    void *const c = const_cast<void *>(x.c);
    if (x.c_seed == 0) {
      EXPECT_CUDA(cudaMemset(c, 0xff, bytes));
    } else {
      EXPECT_CUDA(fill_uniform(x.desc.dtype, c, int64_t(bytes) / pyc::runtime::dtype_bytes(x.desc.dtype), x.c_seed));
    }
    EXPECT_CUDA(cudaDeviceSynchronize());  // the product may run on a stream that does not wait for the default one
  }

 private:
  size_t bytes_;
  DeviceMemory a_, b_, c_;
};

inline pyc_status run(pyc_context *context, const Product &x, cudaStream_t stream = nullptr) {
  return pyc_gemm(context, &x.desc, x.alpha, x.a, x.b, x.beta, const_cast<void *>(x.c), stream);
}

inline std::string describe(const pyc_gemm_desc &d) {
  constexpr const char *kDtypeNames[] = {"fp32", "fp16", "bf16"}, *kLayoutNames[] = {"nn", "nt", "tn", "tt"};
  return std::string(kDtypeNames[d.dtype]) + " " + kLayoutNames[d.layout] + " " + std::to_string(d.m) + "x" +
         std::to_string(d.n) + "x" + std::to_string(d.k) + " ld " + std::to_string(d.lda) + " " +
         std::to_string(d.ldb) + " " + std::to_string(d.ldc) + " batch " + std::to_string(d.batch_count);
}

// The product was computed and its memory is as it should be.
inline void expect_right(const Product &x, const std::string &what) {
  EXPECT_CUDA(cudaDeviceSynchronize()) << what;
  Findings f = {};
  ASSERT_CUDA(check_product(x, &f)) << what;
  EXPECT_EQ(f.wrong, 0u) << what << ": of " << f.checked << " elements; batch " << f.batch << " row " << f.row
                         << " column " << f.column << " is " << f.got << ", expected " << f.expected;
  EXPECT_EQ(f.unwritten, 0u) << what << ": NaN in C";
  EXPECT_EQ(f.spilt, 0u) << what << ": memory between the rows of C changed";
}

using Reports = std::array<pyc_rung_report, PYC_RUNG_COUNT>;

// By pyc_rung.
inline Reports explain(pyc_context *context, const Product &x, cudaStream_t stream = nullptr) {
  Reports in_order = {}, by_rung = {};
  in_order[0].struct_size = sizeof in_order[0];
  size_t count = 0;
  EXPECT_EQ(pyc_gemm_explain(context, &x.desc, x.alpha, x.a, x.b, x.beta, x.c, stream, in_order.data(), in_order.size(),
                             &count),
            PYC_STATUS_SUCCESS)
      << pyc_last_error_detail();
  for (const pyc_rung_report &report : in_order) by_rung[size_t(report.rung)] = report;
  return by_rung;
}

inline pyc_rung_report chosen(pyc_context *context, const Product &x, cudaStream_t stream = nullptr) {
  for (const pyc_rung_report &report : explain(context, x, stream)) {
    if (report.verdict == PYC_VERDICT_CHOSEN) return report;
  }
  return {};
}

class GpuTest : public testing::Test {
 protected:
  // `operand_bytes` is the most that an operand of the tests spans.
  explicit GpuTest(size_t operand_bytes = 16 << 20) : operand_bytes_(operand_bytes) {}

  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no GPU on this machine";
    ASSERT_EQ(pyc::runtime::open_device(0, &device_), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    ASSERT_CUDA(cudaSetDevice(0));
    arena_ = std::make_unique<Arena>(operand_bytes_);
    arena_->fill(PYC_DTYPE_FP32);
  }

  std::string arch() const { return "sm" + std::to_string(device_.arch); }

  pyc::runtime::Device device_;
  std::unique_ptr<Arena> arena_;

 private:
  const size_t operand_bytes_;
};

class Stream {
 public:
  Stream() { EXPECT_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Records what `work` enqueues on the stream, so that it can be launched again.
class Graph {
 public:
  template <typename Work>
  Graph(cudaStream_t stream, Work work) {
    EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    status_ = work();
    EXPECT_CUDA(cudaStreamEndCapture(stream, &graph_));
    if (graph_ != nullptr) {
      EXPECT_CUDA(cudaGraphInstantiate(&executable_, graph_, 0));
    }
  }
  ~Graph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  pyc_status status() const { return status_; }  // what `work` returned
  void launch(cudaStream_t stream) const { EXPECT_CUDA(cudaGraphLaunch(executable_, stream)); }

 private:
  pyc_status status_ = PYC_STATUS_SUCCESS;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};
